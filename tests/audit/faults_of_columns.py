"""Classes of faults in columns that follow from others, under heads that no rule knows; made from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from fault_cases import Case

LADDER = (1, 8, 32, 96, 192, 384)


def _rows(chance: random.Random) -> list[list[float]]:
    """Returns three runs at each load point."""
    return [[round(690 * n**0.6 * chance.uniform(0.98, 1.02), 1) for _ in range(3)] for n in LADDER]


def _table(head: str, rows: Sequence[Sequence[object]]) -> dict[str, str]:
    return {"t.csv": "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"}


def _case(
    chance: random.Random, head: str, rows: list[list[object]], column: int, wrong: Callable[[float], float]
) -> Case:
    at = chance.randrange(1, len(rows))
    faulty = [list(row) for row in rows]
    text = str(rows[at][column])
    faulty[at][column] = f"{wrong(float(text)):.{len(text.partition('.')[2])}f}"
    return Case(_table(head, faulty), _table(head, rows), "columns", str(faulty[at][column]))


def mean_of_other_runs(chance: random.Random) -> Case:
    """A printed mean is not the mean of the runs beside it."""
    rows: list[list[object]] = [
        [n, *runs, f"{sum(runs) / 3:.1f}"] for n, runs in zip(LADDER, _rows(chance), strict=True)
    ]
    return _case(chance, "clients,r1,r2,r3,all", rows, 4, lambda one: one * chance.choice((0.96, 1.03)))


def extreme_that_no_run_has(chance: random.Random) -> Case:
    """A printed minimum or maximum is that of no run beside it."""
    pick, head = chance.choice(((min, "min"), (max, "max")))
    rows: list[list[object]] = [
        [n, *runs, f"{pick(runs):.1f}"] for n, runs in zip(LADDER, _rows(chance), strict=True)
    ]
    return _case(chance, f"clients,run 1,run 2,run 3,{head}", rows, 4, lambda one: one * 1.02)


def quotient_of_other_figures(chance: random.Random) -> Case:
    """A rate per user, or a ratio of two columns, is not the quotient of the columns beside it."""
    rows: list[list[object]] = [
        [n, f"{runs[0]:.1f}", f"{runs[0] / n:.2f}"] for n, runs in zip(LADDER, _rows(chance), strict=True)
    ]
    return _case(chance, "utilisateurs,NOPM,NOPM par utilisateur", rows, 2, lambda one: one * 1.1)


def shares_that_are_not_all(chance: random.Random) -> Case:
    """Shares of a processor's time do not add up to 100 in one row."""
    rows: list[list[object]] = []
    for n in LADDER:
        parts = [round(chance.uniform(2, 30), 1) for _ in range(3)]
        rows.append([n, *parts, f"{100 - sum(parts):.1f}"])
    case = _case(chance, "clients,User,System,Warten,Leerlauf", rows, 4, lambda one: one - 5)
    return Case(case.faulty, case.clean, "columns")


COLUMNS_MADE: tuple[Callable[[random.Random], Case], ...] = (
    mean_of_other_runs,
    extreme_that_no_run_has,
    quotient_of_other_figures,
    shares_that_are_not_all,
)
