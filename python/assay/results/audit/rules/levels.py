"""The rule that a study's declared levels and ladders agree with its tables, commands and advice."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from assay.base.decoding import whole_number
from assay.results.audit.figure import parse_figure
from assay.results.audit.model import Cell, Finding, Material, Sheet
from assay.results.audit.rules.rule import Rule

Place = tuple[str, str]  # study, factor


def _check(material: Material) -> Iterator[Finding]:
    declared = _declared(material)
    used: dict[Place, dict[str, Cell]] = defaultdict(dict)
    for cell in material.cells:
        for name, level in cell.levels:
            used[cell.study, name].setdefault(level, cell)
    for place, levels in declared.items():
        common = levels & used[place].keys()
        for level in sorted(used[place].keys() - levels) if len(common) >= 2 else ():
            cell = used[place][level]
            yield Finding(
                RULE.name,
                "warning",
                "high",
                cell.file,
                cell.table,
                f"{place[1]}={level}",
                place[1],
                cell.line,
                level,
                ", ".join(sorted(levels, key=_order)),
                f"{place[1]}={level} is measured, but not among the levels declared",
                f"the other {len(common)} levels are as declared",
            )
    yield from _commands(material, declared)
    yield from _ladders(material)


def _order(level: str) -> tuple[float, str]:
    figure = parse_figure(level)
    return (figure.value if figure else 0.0, level)


def _declared(material: Material) -> dict[Place, set[str]]:
    found: dict[Place, set[str]] = defaultdict(set)
    for sheet in material.with_columns("param", "order", "value"):
        for _, row in sheet.rows:
            found[row.get("study", ""), row["param"]].add(row["value"])
    return found


def _commands(material: Material, declared: dict[Place, set[str]]) -> Iterator[Finding]:
    """Yields findings for commands that set a level that the study does not have, or does not recommend."""
    advice = {
        (row.get("study", ""), row["param"]): row["recommended"]
        for sheet in material.with_columns("param", "recommended")
        for _, row in sheet.rows
    }
    for sheet in material.with_columns("param", "command"):
        for line, row in sheet.rows:
            found = re.match(r"echo\s+(\S+)\s*>", row["command"])
            place = (row.get("study", ""), row["param"])
            if found is None or (place not in declared and place not in advice):
                continue
            known, told = declared.get(place, set()), advice.get(place)
            if known and found[1] not in known:
                second = f"{told} is recommended" if told and told != found[1] else ""
                yield _about(
                    sheet,
                    line,
                    row["param"],
                    found[1],
                    " or ".join(sorted(known)),
                    f"the command sets {found[1]}, which is none of the levels",
                    second,
                )
            elif told and told != found[1]:
                others = _that_follow(sheet, advice) if told else 0
                yield _about(
                    sheet,
                    line,
                    row["param"],
                    found[1],
                    told,
                    f"the command sets {found[1]}, but {told} is recommended",
                    f"the commands of {others} other parameters set what is recommended" if others else "",
                )


def _that_follow(sheet: Sheet, advice: dict[Place, str]) -> int:
    """Returns how many commands of a sheet set what is recommended."""
    return sum(
        advice.get((row.get("study", ""), row["param"]), "\0") in re.split(r"[\s=]+", row["command"])
        for _, row in sheet.rows
    )


def _about(sheet: Sheet, line: int, row: str, printed: str, expected: str, sign: str, second: str) -> Finding:
    return sheet.finding(
        RULE.name,
        "warning" if second else "note",
        "high" if second else "low",
        row,
        "command",
        line,
        printed,
        expected,
        sign,
        second,
    )


def _ladders(material: Material) -> Iterator[Finding]:
    """Yields findings for series that stop before the end of the declared ladder, where others of the study
    reach it.
    """
    ladders = list(_declared_ladders(material))
    for study, subject, rungs, source in ladders:
        curves = [
            (key, curve)
            for key, curve in material.series.items()
            if key[0] == study and key[4] == "threads" and _is_of(key[3], subject)
        ]
        full = [curve for _, curve in curves if max(curve) >= max(rungs)]
        short: dict[tuple[str, str], list[Cell]] = defaultdict(list)
        for (_, table, _, levels, _), curve in curves:
            if full and max(curve) < max(rungs) and len(curve) >= 2:
                short[table, dict(levels).get("workload", "")].append(curve[max(curve)])
        if source.row and short:
            tables = sorted({table for table, _ in short})
            yield Finding(
                RULE.name,
                "warning",
                "medium",
                source.file,
                source.file.rsplit(".", 1)[0],
                source.row,
                "x_ladder",
                source.line,
                f"{min(rungs):g} to {max(rungs):g}",
                f"to {max(cell.rung or 0 for cells in short.values() for cell in cells):g}",
                f"{source.row} says {min(rungs):g} to {max(rungs):g} threads; {', '.join(tables)} end before",
                f"{len(full)} series of the study go to {max(rungs):g}",
            )
            continue
        for (table, workload), cells in short.items():
            last = cells[0]
            yield Finding(
                RULE.name,
                "warning",
                "medium",
                last.file,
                table,
                f"after threads={last.rung:g}",
                f"workload={workload}" if workload else "every column",
                last.line,
                f"{last.rung:g}",
                f"{max(rungs):g}",
                f"the ladder ends at {last.rung:g} threads;"
                f" {source.file} says {min(rungs):g} to {max(rungs):g}",
                f"{len(full)} other series of the study go to {max(rungs):g}",
            )


def _is_of(levels: tuple[tuple[str, str], ...], subject: str) -> bool:
    workload = dict(levels).get("workload", "")
    return not subject or workload.startswith(subject) or subject in workload


@dataclass(frozen=True)
class _Source:
    """The place where a ladder is declared; `row` is the chart that does, empty where settings do."""

    file: str
    line: int = 0
    row: str = ""


def _declared_ladders(material: Material) -> Iterator[tuple[str, str, list[float], _Source]]:
    told: set[tuple[str, str, float]] = set()
    settled: set[str] = set()
    for sheet in material.with_columns("setting", "value"):
        for _, row in sheet.rows:
            rungs = [float(one) for one in row["value"].split() if whole_number(one) is not None]
            if row["setting"] in ("num-threads", "threads") and len(rungs) >= 3:
                settled.add(row.get("study", ""))
                yield row.get("study", ""), row.get("workload", ""), rungs, _Source(sheet.file)
    for sheet in material.with_columns("x_axis", "x_ladder"):
        for line, row in sheet.rows:
            rungs = [float(one) for one in re.findall(r"\d+", row["x_ladder"])]
            place = (row.get("study", ""), "", max(rungs, default=0.0))
            known = row.get("study", "") in settled or place in told
            if row["x_axis"] == "threads" and len(rungs) >= 2 and not known:
                told.add(place)
                yield row.get("study", ""), "", rungs, _Source(sheet.file, line, row.get("chart", "a chart"))


RULE = Rule(
    "levels",
    "levels, commands and ladders against those declared",
    _check,
    kind="settings",
    must="measured levels are the declared ones; commands set one of them; ladders are as long as declared",
)
