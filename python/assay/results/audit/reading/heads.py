"""Reads the head of a column: its metric, unit and series, and the load point that it names."""

from __future__ import annotations

import re

from assay.results.audit.metrics import SECONDS, role_of
from assay.results.audit.reading.words import in_english, rung_of

_UNIT = re.compile(r"[(\[]([^)\]]+)[)\]]")
_UNITS = re.compile(r"(1|)/s|[kKMG]?i?[bB](it)?/s|[mun]?s|[mu]?sec|µs|%|sec")
_UNIT_IN_NAME = re.compile(r"(?:latency|lat|time|mean|avg|min|max|p\d+(?:[._]\d+)?)(?:_\w+)?_(ns|us|ms)$")
_QUANTILE = re.compile(r"p\d{2,3}(?:[._]\d+)?|\d{2}(?:\.\d+)?(?:th|%)")
_STAT = re.compile(r"avg|mean|average|median|min|max|minimum|maximum|stdev")
_SEVERAL = re.compile(r"[^\s/]+(?:\s*/\s*[^\s/]+)+")


def is_metric(text: str) -> bool:
    """Returns whether a text names something that rules know: `TPS`, `p95 (ms)`, `99%响应时间`."""
    metric, unit, _ = metric_of(text)
    return metric != "value" and role_of(metric, unit) is not None


def metric_of_title(title: str) -> tuple[str, str]:
    """Returns the metric and its unit that a title names, such as `TPS by threads`; `value` where it names
    none, or several.
    """
    metric, unit, _ = metric_of(title)
    kinds = {role.kind for word in metric.split() if (role := role_of(word)) is not None}
    return (metric, unit) if len(kinds) == 1 else ("value", unit)


def split_rung(column: str) -> tuple[str, float, str] | None:
    """Returns the axis and the load point that a head names, and the rest of it: `8 threads TPS`.

    The axis is empty, and the rest too, where the head is a number alone. None for a head without any.
    """
    if said := rung_of(column):
        return (*said, "")
    words = column.split()
    for at in range(min(3, len(words) - 1), 0, -1):
        said = rung_of(" ".join(words[:at]))
        if said and said[0] and is_metric(" ".join(words[at:])):
            return (*said, " ".join(words[at:]))
    return None


def parts_of(column: str, most: int) -> list[str]:
    """Returns the head of each figure in a cell: `avg / p95 latency` has two."""
    several = _SEVERAL.search(column)
    named = re.split(r"\s*/\s*", several[0].strip("()[]")) if several else []
    if several and most == len(named) and not _UNITS.fullmatch(f"/{named[-1]}"):
        return [column.replace(several[0], f" {one} ") for one in named]
    bracket = _UNIT.search(column)
    if most == 2 and bracket and not _UNITS.fullmatch(bracket[1]):
        return [column.replace(bracket[0], "").strip(), bracket[1]]
    return [column] if most <= 1 else [column, *(f"{column} [{part}]" for part in range(2, most + 1))]


def metric_of(column: str, cell_unit: str = "") -> tuple[str, str, str]:
    """Returns a wide column's metric, unit and series: `tps deadline` is tps of deadline, `p95 latency (ms)`
    one metric. `cell_unit` is the unit that stands in the cells.
    """
    bracket = _UNIT.search(in_english(column)) or _UNIT.search(column)
    unit = bracket[1] if bracket and _UNITS.fullmatch(bracket[1].strip()) else ""
    original = _UNIT.search(column)
    bare = (column.replace(original[0], " ") if original and unit else column).strip()
    in_name = _UNIT_IN_NAME.search(bare.lower())
    unit = unit.strip() or cell_unit or (in_name[1] if in_name else "")
    words = [word for word in re.split(r"[\s:;/\[\]()]+", bare) if word]
    said = [in_english(word) for word in words]
    kept = [english for english in said if _says_what(english)]
    series = " ".join(word for word, english in zip(words, said, strict=True) if not _says_what(english))
    metric = " ".join(kept)
    if role_of(metric, "") is None:
        is_time = unit.lower() in SECONDS
        if any(_QUANTILE.fullmatch(word) for word in kept) or (is_time and any(map(_STAT.fullmatch, kept))):
            metric = f"{metric} latency"
        elif unit in ("tps", "qps", "iops"):
            metric = f"{metric} {unit}".strip()
        elif role_of(bare, unit) is None and role_of(in_english(bare), unit) is None:
            return "value", unit, bare
    return metric or in_english(bare), "" if unit in ("tps", "qps", "iops", "x", "threads") else unit, series


def _says_what(word: str) -> bool:
    known = r"avg|mean|average|median|min|max|minimum|maximum|stdev|p\d+(\.\d+)?|\d+(\.\d+)?(th|%)|percentile"
    known += r"|pctl?|percent|read|write|total|cpu|ms|us|s|sec|per|response time"
    return all(role_of(one) is not None or re.fullmatch(known, one) is not None for one in word.split()) or (
        role_of(word) is not None
    )
