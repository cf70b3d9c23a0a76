"""The rule that processors agree: sockets × cores × threads, and the cores of the stated model."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from assay.audit.model import Finding, Material, Sheet
from assay.audit.rules.rule import Rule

MODELS: dict[str, tuple[int, int]] = {
    "X5670": (6, 2),
    "E5-2620": (6, 2),
    "E5-2640": (6, 2),
    "E5-2650": (8, 2),
    "E5-2650 v2": (8, 2),
    "E5-2660": (8, 2),
    "E5-2670": (8, 2),
    "E5-2680": (8, 2),
    "E5-2690": (8, 2),
    "E5-2690 v2": (10, 2),
    "E5-2680 v3": (12, 2),
    "E5-2683 v3": (14, 2),
    "E5-2699 v3": (18, 2),
    "E5-2680 v4": (14, 2),
    "E5-2699 v4": (22, 2),
}
"""Cores of a processor model, and the sockets that its boards have at most; each core has two threads (Intel
ARK).
"""

_MODEL = re.compile(r"(?:(\d+)\s*x\s*)?.*?\b(X\d{4}|E5-\d{4}(?:\s*v\d)?)\b", re.IGNORECASE)


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("attribute", "value"):
        hosts: dict[tuple[str, str], dict[str, tuple[int, str]]] = defaultdict(dict)
        for line, row in sheet.rows:
            hosts[row.get("study", ""), row.get("host", "")][row["attribute"]] = (line, row["value"])
        for (_, host), facts in hosts.items():
            yield from _counted(sheet, host, facts)
            yield from _of_model(sheet, host, facts)


def _number(facts: dict[str, tuple[int, str]], name: str) -> int | None:
    text = facts.get(name, (0, ""))[1]
    return int(text) if text.isdigit() else None


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
    stated = next((name for name in ("cores_stated", "cores", "cpus") if name in facts), "")
    if found is None or not stated:
        return
    cores, _ = MODELS.get(re.sub(r"\s+", " ", found[2]), (0, 0))
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
    return Finding(
        RULE.name,
        "error" if second else "note",
        "high" if second else "low",
        sheet.file,
        sheet.file.rsplit(".", 1)[0],
        host or "host",
        name,
        line,
        value,
        expected,
        sign,
        second,
    )


RULE = Rule("processors", "sockets x cores x threads, and what a model has", _check)
