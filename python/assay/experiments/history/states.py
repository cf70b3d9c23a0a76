"""Finds the state of each change: new, confirmed or refuted by a paired study of the two builds,
explained.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import tomlkit
from tomlkit.exceptions import TOMLKitError

from assay.base.decoding import why_unreadable
from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.base.inner_path import named_bytes
from assay.base.locks import locked
from assay.base.wording import counted
from assay.experiments.history.changes import Shift
from assay.experiments.history.made_of import made_of
from assay.experiments.lab import judged, results_below, results_folder
from assay.results.verdict import closing_of

NAME = "history.toml"
CONFIRMATIONS = "confirmations"
"""Folder in the root with the studies that confirm changes, and their results, which belong to no series."""

Word = Literal["new", "confirmed", "refuted", "explained", "closed"]


@dataclass(frozen=True)
class State:
    """The state of a change. `paired`: the paired study's answer, a sentence; `reason`: a person's
    explanation; empty without one. `closing`: one of the verdict's `CLOSINGS`; empty while it is open.
    `made_of`: what the difference in the paired study is made of, by the lines that have moved.
    """

    state: Word
    paired: str = ""
    reason: str = ""
    closing: str = ""
    made_of: str = ""


@dataclass(frozen=True)
class Explanation:
    """What a person recorded of a change, as the fields of `State`."""

    reason: str
    closing: str = ""


def state_of(shift: Shift, root: Path, explanations: dict[str, Explanation]) -> State:
    """Returns the state of one change. Raises InputError when the results of its paired study cannot be
    read.
    """
    found = _paired(shift, confirmation(root, shift.id))
    known = explanations.get(shift.id)
    if known is None or not known.reason:
        return found
    word: Word = "closed" if known.closing else "explained"
    return replace(found, state=word, reason=known.reason, closing=known.closing)


def confirmation(root: Path, shift_id: str) -> Path:
    """Returns the folder of results of the study that confirms a change; its study file beside it ends in
    `.toml`.
    """
    return root / CONFIRMATIONS / shift_id


def _paired(shift: Shift, results: Path) -> State:
    if next(results_below(results), None) is None:
        return State("new")
    with judged(results_folder(results)) as found:
        builds = {
            f"{flavour} {version}"
            for flavour, version in found.store.execute(
                "SELECT DISTINCT server_flavour, server_version FROM runs WHERE status = 'complete'"
            ).fetchall()
        }
        looks, verdicts = found.results.looks, found.results.hypotheses
        lines = made_of(found.results)
    if builds != {_version(shift.before), _version(shift.after)}:
        return State("new", f"the paired study measured other builds: {', '.join(sorted(builds)) or 'none'}")
    if looks is None or not looks.schedule:
        return State("new", "the paired study was run without --until-decided")
    (verdict,) = verdicts
    figure = verdict.parts[0].figure
    interval = "" if figure is None or figure.low is None else f", {figure.low:.3f} to {figure.high:.3f}"
    blocks = counted(verdict.parts[0].blocks, "block")
    said = f"{verdict.claim}: {verdict.outcome} in {blocks}{interval}"
    if verdict.outcome == "undecided":
        return State("new", said)
    return State("confirmed" if verdict.outcome == "supported" else "refuted", said, made_of=lines)


def _version(build: str) -> str:
    """Returns `mariadb 11.4.1` from a build's name in a series, which may have a binary or a time
    appended.
    """
    return re.split(r" \(|, ", build)[0]


def read_explanations(root: Path) -> dict[str, Explanation]:
    """Returns the recorded explanation of each change. Raises InputError when the file cannot be read."""
    changes = _document(root / NAME).get("change", {})
    return {
        str(name): Explanation(str(one.get("reason", "")), str(one.get("closed", "")))
        for name, one in changes.items()
    }


def explain(root: Path, shift: Shift, reason: str, closing: str = "") -> None:
    """Records the explanation of a change in the root's `history.toml`; the rest of the file stays.

    An empty reason removes the record. `closing` is one of `CLOSINGS`, or empty for a change that stays open.
    Raises InputError for another one, for one without a reason, and when the file cannot be read or written.
    """
    path, reason = root / NAME, reason.strip()
    if closing:
        closing_of(closing, reason, "a change")
    with locked(root / ".history.lock"):
        document = _document(path)
        changes = document.setdefault("change", tomlkit.table(is_super_table=True))
        changes.pop(shift.id, None)
        if reason:
            changes[shift.id] = {
                "before": shift.before,
                "after": shift.after,
                "reason": reason,
                "at": datetime.now(UTC).strftime("%Y-%m-%d"),
            } | ({"closed": closing} if closing else {})
        try:
            write_whole(path, tomlkit.dumps(document).encode())
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def _document(path: Path) -> Any:
    try:
        return tomlkit.parse(named_bytes(path).decode("utf-8"))
    except FileNotFoundError:
        return tomlkit.document()
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise InputError(
            f"{path}: cannot be read: {why_unreadable(error)}",
            hint="correct the file, which holds explanations of changes",
        ) from None
