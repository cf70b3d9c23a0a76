"""The rule that one setting of a test, stated twice, has one value."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from assay.results.audit.figure import parse_figure
from assay.results.audit.model import Finding, Material
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import Statement, by_study

_DURATION = re.compile(r"(?:max[-_]?)?time|(?:test|run)?[-_]?duration(?:[-_]as[-_]stated)?|run[-_]?time")
_LOAD = re.compile(r"(?:(?:num[-_])?threads|connections|clients|users|requesters)(?:[-_](?P<end>min|max))?")
_WORDS = re.compile(r"note|comment|stated|text|prose|description")
_SECONDS = {"s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0, "hours": 3600.0, "d": 86400.0, "days": 86400.0}


def _check(material: Material) -> Iterator[Finding]:
    for settings in by_study(material, "setting").values():
        yield from _in_words(settings)
        workloads: dict[str, list[Statement]] = defaultdict(list)
        for one in settings:
            workloads[one.subject].append(one)
        for some in workloads.values():
            yield from _durations(some)
            yield from _loads(some)


def _durations(settings: list[Statement]) -> Iterator[Finding]:
    """Yields findings for one workload with two durations."""
    times = [
        (one, figure.value * _SECONDS[one.unit])
        for one in settings
        if _DURATION.fullmatch(one.name.lower())
        and one.unit in _SECONDS
        and (figure := parse_figure(one.text))
    ]
    for one, time_s in times[1:]:
        first, first_s = times[0]
        if time_s != first_s:
            yield _finding(first, one, f"{first_s:g} s and {time_s:g} s", "a run has one duration")


def _loads(settings: list[Statement]) -> Iterator[Finding]:
    """Yields findings for one workload with a number of connections and a range of them."""
    found = {one: match for one in settings if (match := _LOAD.fullmatch(one.name.lower()))}
    single = [one for one, match in found.items() if not match["end"] and parse_figure(one.text)]
    ends = {match["end"]: one for one, match in found.items() if match["end"]}
    if single and {"min", "max"} <= ends.keys():
        said = f"{single[0].text} and {ends['min'].text} to {ends['max'].text}"
        why = "which results are of which load is not said"
        yield _finding(single[0], ends["min"], said, why)


def _in_words(settings: list[Statement]) -> Iterator[Finding]:
    """Yields findings for notes that explain a setting with another value than the commands have."""
    for note in settings:
        if not _WORDS.search(note.subject.lower()):
            continue
        real = [one for one in settings if one.name == note.name and one is not note]
        before = [one for one in real if not _WORDS.search(one.subject.lower()) and one.text != note.text]
        near = min(before, key=lambda one: abs(one.line - note.line), default=None)
        if near is not None and len(before) >= 2:
            others = ", ".join(f"{one.subject} {one.text}" for one in before)
            yield _finding(note, near, f"{note.text} and {near.text}", f"the commands have {others}")


def _finding(one: Statement, other: Statement, said: str, why: str) -> Finding:
    return one.finding(
        RULE.name,
        expected=f"{other.text} {other.unit}".strip(),
        sign=f"{one.name} and {other.name} of {one.subject or other.subject} say {said} (line {other.line})",
        second=why,
    )


RULE = Rule(
    "stated-twice",
    "one setting of a test, stated twice with two values",
    _check,
    kind="settings",
    must="a setting of a test that is stated twice has one value",
)
