"""The rule that arithmetic in prose is right: stated products, percentages, ratios and differences."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.base.numbers import number, plain
from assay.results.audit.figure import Figure, in_prose, one_slip_away, parse_figure
from assay.results.audit.identity import TOLERANCE
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_PRODUCT = re.compile(r"(\d[\d,.]*)\s*(?:x|×|\*)\s*(\d[\d,.]*)\s*(?:\(|=)\s*(\d[\d,.]*)\s*([kKMG]?)\)?")
_OF = re.compile(r"%\s*of\s*(\d[\d,.]*)\s*([KMGT]?i?B)?")
_TIMES = re.compile(r"(\d+)\s+\w+\s+(?:x|×)\s+(\d+)\s*([KMGT]?i?B)")


@dataclass(frozen=True)
class _Said:
    """One figure of a text, such as `page_below_uncompressed` = 22 %."""

    line: int
    name: str
    figure: Figure
    unit: str
    condition: str


def _check(material: Material) -> Iterator[Finding]:
    for sheet in material.with_columns("quantity", "value", "unit"):
        groups: dict[tuple[str, str], list[_Said]] = defaultdict(list)
        for line, row in sheet.rows:
            yield from _product(sheet, line, row)
            figure = parse_figure(row["value"])
            if figure is not None:
                said = _Said(line, row["quantity"], in_prose(figure), row["unit"], row.get("condition", ""))
                groups[row.get("study", ""), row.get("source_line", "")].append(said)
        for group in groups.values():
            yield from _percent_of(sheet, group)
            yield from _ratio(material, sheet, group)
            yield from _chain(sheet, group)
    yield from _reduced(material)


def _about(sheet: Sheet, line: int, row: str, printed: str, expected: str, sign: str, second: str) -> Finding:
    return sheet.finding(
        RULE.name,
        "error" if second else "note",
        "high" if second else "low",
        row,
        "value",
        line,
        printed,
        expected,
        sign,
        second,
    )


def _product(sheet: Sheet, line: int, row: Mapping[str, str]) -> Iterator[Finding]:
    """Yields findings for products such as `123 x 1023 (128k)`, in thousands or in 1024s."""
    found = _PRODUCT.search(row["value"])
    if found is None:
        return
    first, second, whole = (parse_figure(found[n]) for n in (1, 2, 3))
    if first is None or second is None or whole is None or not first.value * second.value:
        return
    product = first.value * second.value
    scales = {"": (1.0,), "k": (1e3, 1024.0), "K": (1e3, 1024.0), "M": (1e6, 2.0**20), "G": (1e9, 2.0**30)}[
        found[4]
    ]
    bounds = [(whole.low * scale, whole.value * scale + whole.step * scale / 2) for scale in scales]
    if any(low <= product <= high for low, high in bounds):
        return
    slips = [
        one.text
        for one, other in ((first, second), (second, first))
        for low, high in [(min(b[0] for b in bounds) / other.value, max(b[1] for b in bounds) / other.value)]
        if _digit_away(one, low, high)
    ]
    yield _about(
        sheet,
        line,
        row["quantity"],
        row["value"],
        plain(product, 6),
        f"{first.text} x {second.text} = {plain(product, 6)}, {whole.text}{found[4]} is printed",
        f"one wrong digit in {slips[0]} explains it"
        if slips
        else "the three figures stand in one expression",
    )


def _digit_away(figure: Figure, low: float, high: float) -> bool:
    middle = (low + high) / 2
    return any(
        one_slip_away(figure, whole, whole)
        for whole in {round(low + 0.5), round(middle), round(high - 0.5)}
        if low <= whole <= high
    )


def _percent_of(sheet: Sheet, group: list[_Said]) -> Iterator[Finding]:
    """Yields findings for percentages such as `85 % of 394GB`, by the amount in the same sentence."""
    for said in group:
        base = _OF.search(said.unit)
        figure = parse_figure(base[1]) if base else None
        if base is None or figure is None or not figure.value:
            continue
        stem = said.name.rsplit("_", 1)[0]
        for other in group:
            if other is said or other.unit != base[2] or not other.name.startswith(stem):
                continue
            low, high = said.figure.low * figure.low / 100, said.figure.high * figure.high / 100
            times = _TIMES.search(other.condition)
            agrees = times is not None and float(times[1]) * float(times[2]) == other.figure.value
            rounding = 0.0 if agrees else other.figure.step
            amount = other.figure.value
            if amount + rounding < low * (1 - TOLERANCE) or amount - rounding > high * (1 + TOLERANCE):
                share = 100 * amount / figure.value
                yield _about(
                    sheet,
                    said.line,
                    said.name,
                    f"{said.figure.text} {said.unit}",
                    f"{plain(share, 3)} %",
                    f"{said.figure.text} % of {base[1]} is {number(said.figure.value * figure.value / 100)},"
                    f" {other.figure.text} {other.unit} is printed",
                    f"{other.condition} makes {other.figure.text}" if agrees else "",
                )


def _ratio(material: Material, sheet: Sheet, group: list[_Said]) -> Iterator[Finding]:
    """Yields findings for stated ratios, such as `qps_ratio` = 1000 beside `qps_indexed` and
    `qps_unindexed`.
    """
    for said in group:
        if not re.search(r"(ratio|speedup|factor)$", said.name) or said.unit not in ("x", ""):
            continue
        stem = said.name.rsplit("_", 1)[0]
        parts = [
            one for one in group if one is not said and one.name.startswith(f"{stem}_") and one.unit == "1/s"
        ]
        if len(parts) != 2 or min(one.figure.low for one in parts) <= 0:
            continue
        large, small = sorted((one.figure for one in parts), key=lambda one: -one.value)
        ratio = large.value / small.value
        low, high = large.low / small.high, (large.value + large.step / 2) / small.low
        near = said.figure.value + said.figure.step / 2
        if said.figure.low > high * (1 + TOLERANCE) or near < low * (1 - TOLERANCE):
            yield _about(
                sheet,
                said.line,
                said.name,
                f"{said.figure.text} {said.unit}".strip(),
                number(ratio),
                f"{large.text} / {small.text} = {number(ratio)}, {said.figure.text} is printed",
                "all three stand in one sentence" if abs(said.figure.value / ratio - 1) > 0.1 else "",
            )


Ways = dict[tuple[str, str], _Said]


def _chain(sheet: Sheet, group: list[_Said]) -> Iterator[Finding]:
    """Yields findings for chains of shares (`row_below_page`, `page_below_uncompressed`,
    `row_below_uncompressed`): shares multiply, differences add.
    """
    below: Ways = {}
    minus: Ways = {}
    for said in group:
        if (found := re.fullmatch(r"(\w+?)_below_(\w+)", said.name)) and said.unit == "%":
            below[found[1], found[2]] = said
        elif found := re.fullmatch(r"(\w+?)_minus_(\w+)", said.name):
            minus[found[2], found[1]] = said
    for (low, high), said in below.items():
        for (middle, top), upper in below.items():
            lower = below.get((low, middle))
            if top != high or lower is None:
                continue
            left = (1 - upper.figure.value / 100) * (1 - lower.figure.value / 100)
            expected = 100 * (1 - left)
            if abs(said.figure.value - expected) > 1 + 1.5 * said.figure.step:
                yield _about(
                    sheet,
                    said.line,
                    said.name,
                    f"{said.figure.text} %",
                    f"{expected:.0f} %",
                    f"{upper.figure.text} % below {high} and {lower.figure.text}"
                    f" % below {middle} make {expected:.0f} % below {high}",
                    _by_differences(minus, low, middle, high, upper),
                )
    for (low, high), said in minus.items():
        for (middle, top), upper in minus.items():
            lower = minus.get((low, middle))
            if top == high and lower is not None:
                total = upper.figure.value + lower.figure.value
                step = upper.figure.step + lower.figure.step + said.figure.step
                if abs(said.figure.value - total) > step / 2 + TOLERANCE * total:
                    yield _about(
                        sheet,
                        said.line,
                        said.name,
                        f"{said.figure.text} {said.unit}",
                        plain(total, 6),
                        f"{upper.figure.text} + {lower.figure.text} ="
                        f" {plain(total, 6)}, {said.figure.text} is printed",
                        "all three stand in one sentence",
                    )


def _by_differences(minus: Ways, low: str, middle: str, high: str, upper: _Said) -> str:
    """Returns the share that follows from the stated differences, as a second way to compute it."""
    step, whole = minus.get((middle, high)), minus.get((low, high))
    if step is None or whole is None or not upper.figure.value:
        return ""
    base = step.figure.value / (upper.figure.value / 100)
    found = f"{whole.figure.text} of {plain(base, 5)}"
    return f"the differences lead to {100 * whole.figure.value / base:.0f} %: {found}"


def _reduced(material: Material) -> Iterator[Finding]:
    """Yields findings for shares of which a stated part is taken: `raid0` 100 %, `raid0+15%OP` 75 %."""
    for sheet in material.sheets:
        shares = {
            share: [(line, row) for line, row in sheet.rows if row[share].endswith("%")]
            for share in sheet.columns
        }
        for label in sheet.columns:
            for share, printed_rows in shares.items():
                rows = {row[label]: (line, row[share]) for line, row in printed_rows}
                for name, (line, text) in rows.items():
                    found = re.fullmatch(r"(.+?)\s*[+-]\s*(\d+)\s*%.*", name)
                    base = parse_figure(rows[found[1]][1]) if found and found[1] in rows else None
                    printed = parse_figure(text)
                    if found is None or base is None or printed is None or label == share:
                        continue
                    ways = {base.value - float(found[2]), base.value * (1 - float(found[2]) / 100)}
                    if not any(printed.low - 1 <= way <= printed.high + 1 for way in ways):
                        way = max(ways)
                        slip = sum(a != b for a, b in zip(f"{way:g}%", text, strict=False)) == 1
                        yield _about(
                            sheet,
                            line,
                            name,
                            text,
                            f"{way:g}%",
                            f"{found[2]} % less than {base.text} is {way:g}%",
                            f"one wrong digit makes {text} of {way:g}%" if slip else "",
                        )


RULE = Rule(
    "prose-arithmetic",
    "stated products, percentages and ratios against the figures named",
    _check,
    kind="words",
    must="stated products, percentages, ratios and differences follow from the figures named",
)
