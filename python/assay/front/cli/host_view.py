"""Prints findings about this machine, and its knobs, for people and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.text import Text

from assay.base.errors import HostError
from assay.design.study import HOST
from assay.front.terminal import console, say_json
from assay.system.host import KNOBS, Machine
from assay.system.host.check import Finding

_KIB = 1024
_STYLES = {"ok": "green", "note": "yellow", "disturbs": "bold red"}


def print_findings(findings: Sequence[Finding]) -> None:
    """Prints a line for each finding, with what to do below it."""
    out = console()
    for finding in findings:
        outcome = (f"{finding.outcome:9}", _STYLES[finding.outcome])
        out.print(Text.assemble(outcome, f"{finding.name:16} {finding.found}"))
        if finding.how_to_mend:
            out.print(Text(f"{'':26}→ {finding.how_to_mend}", style="dim"))
    count = sum(finding.outcome == "disturbs" for finding in findings)
    out.print(f"\n{count} of {len(findings)} would disturb a measurement" if count else "\nNothing disturbs.")


def readable(facts: Mapping[str, object]) -> dict[str, object]:
    """Returns facts for people: sizes with a unit beside the bytes, names of equal value on one line."""
    found: dict[str, object] = {}
    for name, value in facts.items():
        if name == "vulnerabilities" and isinstance(value, Mapping):
            found[name] = _by_value(value)
        elif isinstance(value, Mapping):
            found[name] = readable(value)
        elif name.endswith("_bytes") and isinstance(value, int) and value >= _KIB:
            found[name] = f"{value} ({_sized(value)})"
        else:
            found[name] = value
    return found


def _by_value(names: Mapping[str, object]) -> dict[str, object]:
    """Returns names joined by value, `Not affected: l1tf, mds, …`; a value of a single name stays."""
    by_value: dict[object, list[str]] = {}
    for name, value in names.items():
        by_value.setdefault(value, []).append(name)
    together = {str(value): ", ".join(alike) for value, alike in by_value.items() if len(alike) > 1}
    return together | {alike[0]: value for value, alike in by_value.items() if len(alike) == 1}


def _sized(size: float) -> str:
    for unit in ("KiB", "MiB", "GiB"):
        size /= _KIB
        if size < _KIB:
            return f"{size:.3g} {unit}"
    return f"{size / _KIB:.3g} TiB"


def print_findings_json(findings: Sequence[Finding]) -> None:
    """Prints all findings as one JSON object."""
    quiet = all(finding.outcome != "disturbs" for finding in findings)
    whole = {"quiet": quiet, "findings": [asdict(finding) for finding in findings]}
    say_json(whole)


def knob_records(data: Path) -> list[dict[str, Any]]:
    """Returns, for each knob, name, help, and the targets with their values or why there are none."""
    machine = Machine()
    records = []
    for name, knob in KNOBS.items():
        record: dict[str, Any] = {"name": f"host.{name}", "help": HOST[name].help}
        reason = knob.available(machine, data)
        if reason is None:
            try:
                record["values"] = {one: knob.show(machine, one) for one in knob.targets(machine, data)}
            except HostError as error:
                reason = error.message
        records.append(record if reason is None else record | {"unavailable": reason})
    return records


def print_knobs(records: Sequence[dict[str, Any]]) -> None:
    """Prints the knobs, those that can be turned first."""
    out = console()
    for record in sorted(records, key=lambda one: "unavailable" in one):
        name = (f"{record['name']:31}", "bold" if "values" in record else "dim")
        if "values" in record:
            values = ", ".join(f"{value} ({target})" for target, value in record["values"].items())
            out.print(Text.assemble(name, values))
        else:
            out.print(Text.assemble(name, (f"not here: {record['unavailable']}", "dim")))
