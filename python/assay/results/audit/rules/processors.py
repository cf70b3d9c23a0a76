"""The rule that processors agree: sockets × cores × threads, and the cores of the stated model."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from assay.base.decoding import whole_number
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

MODELS: dict[str, tuple[int, int]] = {
    "X5570": (4, 2),
    "X5650": (6, 2),
    "X5660": (6, 2),
    "X5670": (6, 2),
    "X5675": (6, 2),
    "X5680": (6, 2),
    "X5690": (6, 2),
    "E5520": (4, 2),
    "E5620": (4, 2),
    "E5-2609": (4, 2),
    "E5-2620": (6, 2),
    "E5-2630": (6, 2),
    "E5-2640": (6, 2),
    "E5-2650": (8, 2),
    "E5-2660": (8, 2),
    "E5-2670": (8, 2),
    "E5-2680": (8, 2),
    "E5-2690": (8, 2),
    "E5-2620 v2": (6, 2),
    "E5-2630 v2": (6, 2),
    "E5-2640 v2": (8, 2),
    "E5-2650 v2": (8, 2),
    "E5-2660 v2": (10, 2),
    "E5-2670 v2": (10, 2),
    "E5-2680 v2": (10, 2),
    "E5-2690 v2": (10, 2),
    "E5-2697 v2": (12, 2),
    "E5-2620 v3": (6, 2),
    "E5-2630 v3": (8, 2),
    "E5-2640 v3": (8, 2),
    "E5-2650 v3": (10, 2),
    "E5-2660 v3": (10, 2),
    "E5-2670 v3": (12, 2),
    "E5-2680 v3": (12, 2),
    "E5-2683 v3": (14, 2),
    "E5-2690 v3": (12, 2),
    "E5-2697 v3": (14, 2),
    "E5-2699 v3": (18, 2),
    "E5-2620 v4": (8, 2),
    "E5-2630 v4": (10, 2),
    "E5-2640 v4": (10, 2),
    "E5-2650 v4": (12, 2),
    "E5-2660 v4": (14, 2),
    "E5-2680 v4": (14, 2),
    "E5-2690 v4": (14, 2),
    "E5-2697 v4": (18, 2),
    "E5-2699 v4": (22, 2),
    "Gold 6130": (16, 4),
    "Gold 6140": (18, 4),
    "Gold 6148": (20, 4),
    "Gold 6230": (20, 4),
    "Gold 6248": (20, 4),
    "Platinum 8160": (24, 8),
    "Platinum 8180": (28, 8),
    "Platinum 8280": (28, 8),
    "EPYC 7551": (32, 2),
    "EPYC 7601": (32, 2),
    "EPYC 7702": (64, 2),
    "EPYC 7742": (64, 2),
    "EPYC 7763": (64, 2),
}
"""Cores of a processor model, and the sockets that its boards have at most; each core has two threads (Intel
ARK, AMD's product pages).
"""

_MODEL = re.compile(
    r"(?:(\d+)\s*x\s*)?.*?\b([XE]\d{4}|E5-\d{4}(?:\s*v\d)?|(?:Gold|Platinum|EPYC)\s+\d{4})\b", re.IGNORECASE
)
_LAYOUT = re.compile(r"(\d+)\s*(?:[*x×]|sockets?,?)\s*(\d+)(?:\s*-?\s*cores?)?", re.IGNORECASE)


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("attribute", "value"):
        hosts: dict[tuple[str, str], dict[str, tuple[int, str]]] = defaultdict(dict)
        for line, row in sheet.rows:
            hosts[row.get("study", ""), row.get("host", "")][row["attribute"]] = (line, row["value"])
        for (_, host), facts in hosts.items():
            yield from _counted(sheet, host, facts)
            yield from _of_model(sheet, host, facts)


def _number(facts: dict[str, tuple[int, str]], name: str) -> int | None:
    return whole_number(facts.get(name, (0, ""))[1])


def _counted(sheet: Sheet, host: str, facts: dict[str, tuple[int, str]]) -> Iterator[Finding]:
    parts = [_number(facts, name) for name in ("sockets", "cores_per_socket", "threads_per_core")]
    whole = _number(facts, "logical_threads")
    if whole and None not in parts:
        product = parts[0] * parts[1] * parts[2]  # type: ignore[operator]
        if product != whole:
            yield _finding(
                sheet,
                host,
                facts,
                "logical_threads",
                str(product),
                "sockets x cores x threads",
                "whole numbers: no rounding explains it",
            )


def _of_model(sheet: Sheet, host: str, facts: dict[str, tuple[int, str]]) -> Iterator[Finding]:
    found = _MODEL.match(facts.get("cpu", (0, ""))[1])
    if found is not None:
        yield from _of_layout(sheet, host, facts, _named(found[2]))
    stated = next((name for name in ("cores_stated", "cores", "cpus") if name in facts), "")
    if found is None or not stated:
        return
    cores, _ = MODELS.get(_named(found[2]), (0, 0))
    count = _number(facts, stated)
    if not cores or count is None or not found[1]:
        return
    packages = int(found[1])
    if count not in (packages * cores, packages * cores * 2):
        fits = [n for n in (1, 2, 4) if count in (n * cores, n * cores * 2)]
        second = f"{count} would be {fits[0]} of them" if fits else ""
        yield _finding(
            sheet,
            host,
            facts,
            stated,
            f"{packages * cores}, or {packages * cores * 2} threads",
            f"{facts['cpu'][1]} has {cores} cores with two threads each",
            second,
        )


def _named(model: str) -> str:
    """Returns a model as the list has it: `E5-2650  V2` is `E5-2650 v2`."""
    words = re.sub(r"(?<=\d)(?=v\d)", " ", re.sub(r"\s+", " ", model), flags=re.IGNORECASE)
    return next((name for name in MODELS if name.lower() == words.lower()), words)


def _of_layout(sheet: Sheet, host: str, facts: dict[str, tuple[int, str]], model: str) -> Iterator[Finding]:
    """Yields findings for a stated layout, `4*6 cores`, that the model does not have."""
    cores, most = MODELS.get(model, (0, 0))
    name = next((one for one in ("cpu_layout", "layout", "cores", "topology") if one in facts), "")
    found = _LAYOUT.match(facts[name][1]) if name else None
    if not cores or found is None:
        return
    packages, each = int(found[1]), int(found[2])
    if each not in (cores, 2 * cores):
        sign, expected = f"{model} has {cores} cores, {each} are stated", f"{packages} x {cores} cores"
        yield _finding(sheet, host, facts, name, expected, sign, "the model's own specification says so")
    elif packages > most:
        sign = f"boards for {model} have at most {most} sockets, {packages} are stated"
        second = f"{most} x {cores} cores have {most * cores * 2} threads, {packages} x {each} are stated"
        yield _finding(sheet, host, facts, name, f"at most {most} x {cores} cores", sign, second)


def _finding(
    sheet: Sheet,
    host: str,
    facts: dict[str, tuple[int, str]],
    name: str,
    expected: str,
    sign: str,
    second: str,
) -> Finding:
    line, value = facts[name]
    return sheet.finding(
        RULE.name,
        "error" if second else "note",
        "high" if second else "low",
        host or "host",
        name,
        line,
        value,
        expected,
        sign,
        second,
    )


RULE = Rule(
    "processors",
    "sockets x cores x threads, and what a model has",
    _check,
    kind="physics",
    must="sockets x cores x threads agree; a model has the cores that are stated, and no more sockets "
    "than its boards",
)
