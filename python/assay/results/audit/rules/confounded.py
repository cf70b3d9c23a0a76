"""The rule that what is compared differs in one thing only."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from assay.results.audit.figure import parse_figure
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Cell, Finding, Material
from assay.results.audit.rules.rule import Rule
from assay.results.audit.statements import Statement, by_study

_SIDES = re.compile(
    r"(?P<one>\w[\w -]*?)\s+\((?P<first>[^()]*)\)"
    r"(?P<between>[^()]*?(?:\bthan\b|[<>~]|\bvs\.?|\bversus\b)[^()]*?)"
    r"(?P<other>\w[\w -]*?)\s+\((?P<second>[^()]*)\)"
)
_VERSION = re.compile(r"(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?![\w.]*\s*%)")
_LOCAL = re.compile(r"\blocal(?:host)?\b|same (?:host|machine|server)|on the server host")
_REMOTE = re.compile(
    r"\bremote\b|another (?:host|machine|server)|over (?:the )?network|\d+ ?gb(?:e|it)? network"
)
_SET = re.compile(r"\b\w+\((?:[^()]*,\s*)?([a-z]\w{3,})\s*=\s*[\w.]+\)")
_PAIR = re.compile(r"\w+\(([\d.]+)\)\s*[<>]")
_LEVEL = re.compile(r"~\s*(\d[\d,]{2,})(?![\d.])")
_ACCESS = {"sequential": re.compile(r"seq"), "random": re.compile(r"rnd|rand")}
_APART = 0.1


def _check(material: Material) -> Iterator[Finding]:
    with_tables = {cell.study for cell in material.cells}
    settings = by_study(material, "setting"), by_study(material, "variable")
    facts = by_study(material, "fact")
    for study, claims in by_study(material, "claim").items():
        yield from (found for one in claims if (found := _two_differences(one)))
        yield from (found for one in claims if (found := _of_one_access(material, one)))
        if study and study not in with_tables:
            stated = [one for kind in settings for one in kind.get(study, [])] + facts.get(study, [])
            yield from _left_open(claims, {one.name.lower() for one in stated})
    for study, figures in by_study(material, "figure").items():
        yield from _unlike(figures, facts.get(study, []))
        yield from _places(figures)


def _two_differences(claim: Statement) -> Finding | None:
    """Returns a finding for a claim whose sides differ in what it names and in the versions beside it."""
    found = _SIDES.search(claim.text)
    if found is None:
        return None
    versions = [_VERSION.findall(found[side]) for side in ("first", "second")]
    if not all(versions) or versions[0] == versions[1] or found["one"] == found["other"]:
        return None
    if not any(re.search(r"[a-z]{3}", found[side]) for side in ("first", "second")):
        return None
    return claim.finding(
        RULE.name,
        expected="one difference at a time",
        sign=f"{found['one'].strip()} and {found['other'].strip()} are compared, and with them"
        f" {found['first']} and {found['second']}",
        second="the claim names both differences: either may be the cause",
    )


def _of_one_access(material: Material, claim: Statement) -> Finding | None:
    """Returns a finding for a claim about I/O operations that only one kind of access reaches, and that names
    none.
    """
    said = _LEVEL.findall(claim.text) if "iops" in claim.text.lower() else []
    if not said or any(access.search(claim.text.lower()) for access in _ACCESS.values()):
        return None
    best: dict[str, Cell] = {}
    for cell in material.cells:
        role = role_of(cell.metric, cell.unit)
        if cell.study != claim.study or role is None or role.kind != "iops":
            continue
        for access, words in _ACCESS.items():
            if words.search(cell.level("workload").lower()):
                best[access] = max(best.get(access, cell), cell, key=lambda one: one.value)
    if len(best) < len(_ACCESS):
        return None
    level = max(float(one.replace(",", "")) for one in said)
    fast, slow = sorted(best, key=lambda access: -best[access].value)
    if not best[slow].value < level / 2 < level * (1 - _APART) < best[fast].value < 1.5 * level:
        return None
    return replace(
        claim.finding(
            RULE.name,
            expected=f"{best[slow].figure.text} for {slow} access",
            sign=f"{level:g} I/O operations a second are of {fast} access"
            f" ({best[fast].table}, {best[fast].row})",
            second=f"{slow} access reaches {best[slow].figure.text} at most, and the claim names no access",
        ),
        column="hypothesis",
    )


def _unlike(figures: list[Statement], facts: list[Statement]) -> Iterator[Finding]:
    """Yields findings for rates in prose that were measured under other conditions than the study's own."""
    for figure in figures:
        role = role_of(figure.name, figure.unit)
        if role is None or role.kind == "share" or not figure.condition:
            continue
        others = [
            f"{said} for {fact.name} {own}" for fact in facts for said, own in _other_numbers(fact, figure)
        ]
        beside = [
            one
            for one in figures
            if one.name != figure.name and (other := role_of(one.name, one.unit)) and other.kind == role.kind
        ]
        if others and beside:
            yield figure.finding(
                RULE.name,
                expected="figures of one machine and tool",
                sign=f"it is of {', '.join(others)}, and stands beside {beside[0].name} {beside[0].text}",
                second=f"the study's own facts say {facts[0].file}: {', '.join(others)}"
                if len(others) > 1
                else "the study's own facts are others",
            )


def _other_numbers(fact: Statement, figure: Statement) -> Iterator[tuple[str, str]]:
    words = re.escape(fact.name.lower()).replace("_", "[ _]")
    own = re.match(r"\d[\d.]*", fact.text.strip())
    said = re.search(
        rf"(?:{words}\s*[=:]?\s*(\d[\d.]*)|(?<![\w.])(\d[\d.]*)\s+{words})", figure.condition.lower()
    )
    if own and said and (said[1] or said[2]).rstrip(".") != own[0].rstrip("."):
        yield said[0], own[0]


def _places(figures: list[Statement]) -> Iterator[Finding]:
    """Yields findings for figures that depend on whether the client shares the server's processors."""
    named: dict[str, list[Statement]] = defaultdict(list)
    for one in figures:
        named[one.name].append(one)
    for some in named.values():
        local = [one for one in some if _LOCAL.search(one.condition.lower())]
        for one in local:
            for other in some:
                here, there = parse_figure(one.text), parse_figure(other.text)
                if not _REMOTE.search(other.condition.lower()) or here is None or there is None:
                    continue
                if there.value and abs(here.value / there.value - 1) > _APART:
                    yield one.finding(
                        RULE.name,
                        expected=f"{other.text}, as with the client elsewhere",
                        sign=f"the client runs on the server's machine, whose processors it shares:"
                        f" {one.name} is {one.text} there and {other.text} without it",
                        second=f"line {other.line} has the same quantity with the client on another machine",
                    )


def _left_open(claims: list[Statement], stated: set[str]) -> Iterator[Finding]:
    """Yields a finding where claims compare servers without a setting that other claims say matters."""
    setting = next(
        (found[1] for one in claims if "threads" not in one.text and (found := _SET.search(one.text))), ""
    )
    of_servers = [one for one in claims if len(set(_PAIR.findall(one.text))) >= 1 and "=" not in one.text]
    if not setting or setting in stated or len(of_servers) < 2:
        return
    names = ", ".join(one.name for one in of_servers)
    matters = next(one for one in claims if f"{setting}=" in one.text.replace(" ", ""))
    yield replace(
        of_servers[0].finding(
            RULE.name,
            expected=f"{setting} on each server",
            sign=f"{names} compare servers and do not say how {setting} was set,"
            " whose default may differ between them",
            second=f"{matters.name} says that it matters: {matters.text}",
            printed=f"{setting} not stated",
        ),
        column="hypothesis",
    )


RULE = Rule(
    "confounded",
    "comparisons of things that differ in more than one respect",
    _check,
    kind="conditions",
    must="what is compared differs in one thing: no tool beside the protocol, no other machine or "
    "client, no setting that the study itself says matters and leaves open; operations a second "
    "are of the access that is named",
)
