"""Writes the outcome of a gate as OpenMetrics text, which GitLab compares between branches.

GitLab compares values as text, so that figures have three significant digits: the noise of a fourth would
show in every merge request.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from assay.base.printable import line
from assay.reporting.report import MOST_LINES
from assay.results.verdict import GRAVITY, Check, Gated


def as_openmetrics(gated: Gated) -> str:
    """Returns the figures of all checks with the ends of their intervals, and the number of checks by
    outcome.
    """
    out = []
    for name, about, of in (
        ("value", "Figure that decides the check.", "value"),
        ("low", "Lower end of its interval.", "low"),
        ("high", "Upper end of its interval.", "high"),
    ):
        out += [f"# TYPE assay_gate_{name} gauge", f"# HELP assay_gate_{name} {about}"]
        for check in gated.checks:
            found = None if check.part is None or check.part.figure is None else check.part.figure
            value = None if found is None else getattr(found, of)
            if value is not None and math.isfinite(value):
                out.append(f"assay_gate_{name}{_labels(_of_check(check, gated))} {value:.3g}")
    out += ["# TYPE assay_gate_blocks gauge", "# HELP assay_gate_blocks Blocks that the figure rests on."]
    for check in gated.checks:
        out.append(f"assay_gate_blocks{_labels(_of_check(check, gated))} {check.blocks}")
    out += ["# TYPE assay_gate_blocks_needed gauge"]
    out += ["# HELP assay_gate_blocks_needed Blocks that would show a change of the size of the tolerance."]
    for check in gated.checks:
        if check.needed is not None:
            out.append(f"assay_gate_blocks_needed{_labels(_of_check(check, gated))} {check.needed}")
    out += ["# TYPE assay_gate_line gauge"]
    out += ["# HELP assay_gate_line Difference of a line that has moved, of a check that failed."]
    for check in gated.checks:
        for ledger in check.ledgers:
            for part in ledger.named[:MOST_LINES]:
                named = {"ledger": ledger.ledger, "line": part.group, "unit": part.unit}
                labels = _labels({**_of_check(check, gated), **named})
                out.append(f"assay_gate_line{labels} {part.change:.3g}")
    out += ["# TYPE assay_gate_checks gauge", "# HELP assay_gate_checks Number of checks by outcome."]
    for outcome in GRAVITY:
        labels = _labels({"study": gated.study, "outcome": outcome})
        out.append(f"assay_gate_checks{labels} {gated.counts.get(outcome, 0)}")
    return "\n".join([*out, "# EOF", ""])


def _of_check(check: Check, gated: Gated) -> Mapping[str, str]:
    """Returns the labels of a check. The number of its gate keeps two gates with one claim apart."""
    found = {"study": gated.study, "gate": check.rule.id or str(check.number), "claim": check.rule.text}
    if check.load is not None:
        found["load"] = f"{check.load:g}"
    return found


def _labels(labels: Mapping[str, str]) -> str:
    pairs = (f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return "{" + ",".join(pairs) + "}"


def _escaped(value: str) -> str:
    return line(value).replace("\\", "\\\\").replace('"', '\\"')
