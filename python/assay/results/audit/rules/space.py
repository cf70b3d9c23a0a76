"""The rule that an order of shares in words is that of the printed shares and formulas, such as (n-1)/n."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

from assay.base.numbers import number
from assay.results.audit.figure import parse_figure
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_CHAIN = re.compile(r"\s*([<>])\s*")
_FORMULA = re.compile(r"\(\s*n\s*-\s*(\d+)\s*\)\s*/\s*n|(\d+)\s*/\s*n", re.IGNORECASE)
_DISKS = re.compile(r"(\d+)\s*(?:disks?|drives?|devices?|ssds?|hdds?|nodes?|块)", re.IGNORECASE)
_LEAST = 3


def _check(material: Material) -> Iterator[Finding]:
    for claims in material.with_columns("claim", "hypothesis"):
        for line, row in claims.rows:
            subject, _, chain = row["hypothesis"].rpartition(":")
            parts = _CHAIN.split(chain.strip())
            names, signs = parts[::2], parts[1::2]
            if len(names) < _LEAST or len(set(signs)) != 1:
                continue
            disks = _DISKS.search(row.get("scope", ""))
            for sheet in material.sheets:
                shares = _shares(sheet, row.get("study", ""), float(disks[1]) if disks else None)
                if set(names) <= shares.keys():
                    yield from _broken(claims, line, row, subject, names, signs[0], shares, sheet)


def _shares(sheet: Sheet, study: str, disks: float | None) -> dict[str, float]:
    """Returns the share in per cent by its label, in a sheet of labels and shares."""
    found: dict[str, float] = {}
    for _, row in sheet.rows:
        if row.get("study", study) != study:
            continue
        values = [share for text in row.values() if (share := _share(text, disks)) is not None]
        labels = [text for text in row.values() if text and _share(text, disks) is None]
        if len(values) == 1:
            found |= dict.fromkeys(labels, values[0])
    return found


def _share(text: str, disks: float | None) -> float | None:
    formula = _FORMULA.fullmatch(text.strip())
    if formula is not None and disks:
        return 100 * ((disks - float(formula[1])) if formula[1] else float(formula[2])) / disks
    figure = parse_figure(text) if text.endswith("%") else None
    return figure.value if figure is not None else None


def _broken(
    claims: Sheet,
    line: int,
    row: Mapping[str, str],
    subject: str,
    names: list[str],
    sign: str,
    shares: Mapping[str, float],
    sheet: Sheet,
) -> Iterator[Finding]:
    for one, other in itertools.pairwise(names):
        holds = shares[one] > shares[other] if sign == ">" else shares[one] < shares[other]
        if not holds:
            yield claims.finding(
                RULE.name,
                "warning",
                "medium",
                row["claim"],
                "hypothesis",
                line,
                row["hypothesis"],
                f"{other} {sign} {one}",
                f"{subject.strip() or 'the share'} of {one} is {number(shares[one])} %, of {other}"
                f" {number(shares[other])} %",
                f"{sheet.file} has both",
            )


RULE = Rule(
    "space",
    "orders of shares in words against the printed shares",
    _check,
    kind="words",
    must="an order of shares in words is that of the printed shares",
)
