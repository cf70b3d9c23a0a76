"""A planted fault as files with it and without it, and what makes such files."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass

from printed import COLUMNS, Printed, law

Files = dict[str, str]
CLAIMS = "claim,study,hypothesis,scope\n"
SETTINGS = "study,workload,setting,value,unit\n"
PROSE = "study,source_line,quantity,value,unit,condition\n"
HOSTS = "study,host,attribute,value\n"
SERVERS = "study,server,section,variable,value,active\n"
JOBS = "study,job,direction,metric,unit,result\n"
OPTIONS = "study,job,option,value\n"
LADDER = [8, 16, 32, 64, 128, 256, 512]


@dataclass(frozen=True)
class Case:
    """Files with a fault and without it; a finding of `rule`, or of one of several, with `must` in one of its
    texts names it.
    """

    faulty: Files
    clean: Files
    rule: str
    must: str = ""
    least: int = 1  # findings that name it


def text_of(table: Printed) -> str:
    head = [table.axis if name == "threads" else name for name in COLUMNS]
    lines = [",".join(head), *(",".join(row[name] for name in COLUMNS) for row in table.rows)]
    return "\n".join(lines) + "\n"


def with_and_without(clean: Printed, change: Callable[[Printed], None]) -> tuple[Files, Files]:
    faulty = copy.deepcopy(clean)
    change(faulty)
    return {f"{clean.name}.csv": text_of(faulty)}, {f"{clean.name}.csv": text_of(clean)}


def scaled(text: str, factor: float) -> str:
    return f"{float(text) * factor:.{len(text.partition('.')[2])}f}"


def long_table(chance: random.Random, make: Callable[[random.Random], Printed], rungs: int = 7) -> Printed:
    while True:
        table = make(chance)
        if len({row["threads"] for row in table.rows}) >= rungs:
            return table


def rungs_of(table: Printed) -> list[int]:
    return sorted({int(row["threads"]) for row in table.rows})


def level_of(chance: random.Random, table: Printed) -> str:
    return chance.choice(sorted({row["value"] for row in table.rows}))


def compared(chance: random.Random, digits: int = 2) -> tuple[list[int], list[float], list[float]]:
    ladder, curve, lead = (
        [8, 16, 32, 64, 128, 256][: chance.choice((4, 5, 6))],
        law(chance),
        chance.uniform(1.03, 1.3),
    )
    old = [round(curve(n), digits) for n in ladder]
    return ladder, old, [round(one * lead * chance.uniform(0.995, 1.005), digits) for one in old]


def sweep(
    name: str, factor: str, levels: dict[str, list[float]], ladder: list[int], digits: int = 2
) -> Printed:
    table = Printed(name)
    for level, values in levels.items():
        for n, value in zip(ladder, values, strict=True):
            table.add("tps", "1/s", n, level, f"{value:.{digits}f}", factor)
    return table
