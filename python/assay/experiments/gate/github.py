"""Writes the outcome of a gate for GitHub Actions: annotations of a step, and its summary.

GitHub shows the first 10 errors and 10 warnings of a step, and 50 annotations of a job; it drops the others
without a word. A summary may have 1 MiB, and a longer one is not shown at all.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from assay.base.errors import HostError
from assay.base.printable import line
from assay.experiments.gate.markdown import as_markdown
from assay.reporting.report import check_name, figure_of, load_words
from assay.results.verdict import Check, Gated

MOST_SHOWN = 10
SUMMARY_BYTES = 900_000
_SUMMARY = "GITHUB_STEP_SUMMARY"


def annotation_lines(gated: Gated) -> tuple[str, ...]:
    """Returns the commands that make GitHub show the checks that did not pass: the nine gravest of the errors
    and of the warnings, and how many there are beyond these.
    """
    kinds: tuple[Literal["error", "warning"], ...] = ("error", "warning")
    return tuple(
        command
        for kind in kinds
        for command in _commands(kind, [one for one in gated.remarkable if one.weight == kind], gated)
    )


def write_summary(gated: Gated, language: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Appends the outcome to the summary of the step, and returns its file; None outside of GitHub Actions.

    Raises HostError where the file cannot be written.
    """
    named = environment.get(_SUMMARY)
    if not named:
        return None
    file = Path(named)
    text = as_markdown(gated, language, most=SUMMARY_BYTES, size=lambda part: len(part.encode()))
    try:
        with file.open("a", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise HostError(f"${_SUMMARY}: {file} cannot be written: {error.strerror}") from error
    return file


def _commands(kind: str, checks: Sequence[Check], gated: Gated) -> list[str]:
    shown = checks if len(checks) <= MOST_SHOWN else checks[: MOST_SHOWN - 1]
    found = [
        _command(
            kind,
            f"{check.outcome}: {check_name(check, gated)}",
            f"{figure_of(check, gated)}, {check.blocks} blocks. {check.why}",
        )
        for check in shown
    ]
    if len(shown) < len(checks):
        said = load_words("en")("gate.more-checks", count=len(checks) - len(shown))
        found.append(_command(kind, f"gate of {gated.study}", said))
    return found


def _command(kind: str, title: str, message: str) -> str:
    """Returns `::error title=…::…`; text from studies and servers ends neither the line nor a property."""
    value = line(title).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={value}::{line(message).replace('%', '%25')}"
