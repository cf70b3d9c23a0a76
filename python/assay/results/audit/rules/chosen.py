"""The rule that settings in force follow from the study's own measurements of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from assay.base.numbers import number
from assay.design.study import same_value
from assay.results.audit.metrics import role_of
from assay.results.audit.model import Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

_WORSE = 0.03
_RATES = ("tps", "qps", "iops", "bandwidth")


@dataclass(frozen=True)
class _Measured:
    """The mean rate at each level of one variable in one table."""

    file: str
    levels: dict[str, float]

    @property
    def best(self) -> str:
        return max(self.levels, key=lambda level: self.levels[level])


def _check(material: Material) -> Iterator[Finding]:
    measured = _measured(material)
    for sheet, name, value in (("variable", "variable", "value"), ("param", "param", "recommended")):
        for found in material.with_columns(name, value):
            if not found.has("attribute") and (sheet == "param" or not found.has("metric", "result")):
                yield from _of_sheet(found, name, value, measured)


def _of_sheet(
    sheet: Sheet, name: str, value: str, measured: dict[tuple[str, str], _Measured]
) -> Iterator[Finding]:
    for line, row in sheet.rows:
        tried = measured.get((row.get("study", ""), row[name]))
        if tried is None or row.get("active", "yes") != "yes" or len(tried.levels) < 2:
            continue
        level = next((one for one in tried.levels if same_value(one, row[value])), None)
        best = tried.best
        lead = tried.levels[best] / tried.levels[level] - 1 if level and tried.levels[level] else 0.0
        if level is not None and lead <= _WORSE:
            continue
        known = ", ".join(tried.levels)
        last = list(tried.levels)[-1]
        yield sheet.finding(
            RULE.name,
            "warning",
            "medium",
            row[name],
            value,
            line,
            row[value],
            best,
            f"{row[name]} is {row[value]}, and {tried.file} measured {known}"
            if level is None
            else f"{row[name]} is {row[value]}, and {tried.file} has {100 * lead:.1f} % more with {best}",
            f"the best of them is {best} with {number(tried.levels[best])},"
            f" {last} has {number(tried.levels[last])}",
        )


def _measured(material: Material) -> dict[tuple[str, str], _Measured]:
    """Returns the rates by level of each variable that alone tells the rows of a table apart."""
    rates: dict[tuple[str, str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for cell in material.cells:
        role = role_of(cell.metric, cell.unit)
        if role is None or role.kind not in _RATES or role.stat != "mean":
            continue
        for names, level in cell.levels:
            for name in names.split("="):
                rates[cell.study, name, cell.file, cell.metric][level].append(cell.value)
    found: dict[tuple[str, str], _Measured] = {}
    for (study, name, file, _), levels in rates.items():
        found.setdefault(
            (study, name), _Measured(file, {level: fmean(all_) for level, all_ in levels.items()})
        )
    return found


RULE = Rule(
    "chosen",
    "settings in force against the study's own measurements of them",
    _check,
    kind="settings",
    must="a setting in force is a level that the study measured, and not one that it found worse by 3 %",
)
