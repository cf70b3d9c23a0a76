"""What results were measured under, and in what two of them differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import duckdb

from assay.design.study import Study, Work, same_value, stated_differences, work_of
from assay.results.verdict.fairness import SUBJECTS, variables_in_force

_RUN_FACTS = (
    "processor", "kernel", "host", "server_flavour", "server_version", "server_sha256", "server_address",
    "dataset", "data", "workload", "imported", "assay", "engine",
)  # fmt: skip
"""Columns of the table `runs` that say what was measured where and with what."""
_HOST_FACTS = {"processors": "cpu.logical", "memory": "memory.total_bytes"}
NEAR = 0.05
"""The canary, a fixed piece of work, may cost so much more or less on one of two machines that count as
equal.
"""


@dataclass(frozen=True)
class Conditions:
    """What the complete runs of some treatments say of themselves. `facts` are texts by name, empty where
    nobody noted one; `variables` are those in force on the server. Several values are joined by " / ".
    """

    study: Study
    work: Work
    facts: Mapping[str, str]
    variables: Mapping[str, str]
    canary_us: float | None


Group = Literal["stated", "fact", "variable"]


@dataclass(frozen=True)
class Unlikeness:
    """One thing that differs between two results: what their studies state, what their runs say of
    themselves, or a server variable in force.
    """

    group: Group
    name: str
    left: str
    right: str


def conditions_of(
    study: Study, store: duckdb.DuckDBPyConnection, treatments: Sequence[str] | None = None
) -> Conditions:
    """Returns the conditions of the complete runs of treatments, or of all."""
    wanted = None if treatments is None else list(treatments)
    facts = dict(_facts(store, wanted))
    uses = [row for (row,) in store.execute(_runs("workload"), [wanted, wanted]).fetchall() if row]
    in_force = {
        name: sorted(
            {value for of, values in by.items() if wanted is None or of in wanted for value in values}
        )
        for name, by in variables_in_force(store).items()
    }
    return Conditions(
        study=study,
        work=work_of(uses or [study.workload.use]),
        facts=facts,
        variables={name: " / ".join(values) for name, values in in_force.items() if values},
        canary_us=_canary(store, wanted),
    )


def unlikenesses(left: Conditions, right: Conditions) -> tuple[Unlikeness, ...]:
    """Returns everything that differs: what the studies state, then facts, then the server variables that
    both have, those first by which a comparison is unfair.
    """
    found = [Unlikeness("stated", *each) for each in stated_differences(left.study, right.study)]
    names = dict.fromkeys((*left.facts, *right.facts))
    for name in names:
        one, other = left.facts.get(name, ""), right.facts.get(name, "")
        if one != other:
            found.append(Unlikeness("fact", name, one, other))
    if is_far(left.canary_us, right.canary_us):
        found.append(Unlikeness("fact", "canary", f"{left.canary_us:,.0f} us", f"{right.canary_us:,.0f} us"))
    return (*found, *(Unlikeness("variable", *each) for each in unequal_variables(left, right)))


def unequal_variables(left: Conditions, right: Conditions) -> list[tuple[str, str, str]]:
    """Returns the server variables that both have with other values: the name, and both values."""
    first = {name for subject in SUBJECTS for name in subject.variables}
    both = sorted(left.variables.keys() & right.variables.keys(), key=lambda one: (one not in first, one))
    return [
        (name, left.variables[name], right.variables[name])
        for name in both
        if not same_value(left.variables[name], right.variables[name])
    ]


def is_far(one: float | None, other: float | None) -> bool:
    """Returns whether two canaries are known, and too far apart for machines that count as equal."""
    return bool(one and other and abs(other / one - 1) > NEAR)


def _facts(store: duckdb.DuckDBPyConnection, treatments: list[str] | None) -> Iterator[tuple[str, str]]:
    columns = ", ".join(f"string_agg(DISTINCT {name}, ', ' ORDER BY {name})" for name in _RUN_FACTS)
    row = store.execute(
        f"SELECT {columns}, min(started_ns), max(ended_ns), count(DISTINCT block) FROM runs"
        " WHERE status = 'complete' AND ($1 IS NULL OR list_contains($1, treatment))",
        [treatments],
    ).fetchall()[0]
    yield from ((name, str(value or "")) for name, value in zip(_RUN_FACTS, row, strict=False))
    for name, key in _HOST_FACTS.items():
        found = store.execute(
            "SELECT string_agg(DISTINCT value, ', ' ORDER BY value) FROM facts JOIN runs USING (run_id)"
            " WHERE status = 'complete' AND scope = 'host' AND moment = 'before' AND key = $2"
            " AND ($1 IS NULL OR list_contains($1, runs.treatment))",
            [treatments, key],
        ).fetchall()
        yield name, str(found[0][0] or "")
    began, ended, blocks = row[len(_RUN_FACTS) :]
    yield "time", f"{_minute(began)} to {_minute(ended)}" if began else ""
    yield "blocks", str(blocks)


def _minute(ns: int) -> str:
    return datetime.fromtimestamp(ns / 1e9, UTC).strftime("%Y-%m-%d %H:%M")


def _runs(column: str) -> str:
    return (
        f"SELECT DISTINCT {column} FROM runs WHERE status = 'complete'"
        " AND (? IS NULL OR list_contains(?, treatment)) ORDER BY 1"
    )


def _canary(store: duckdb.DuckDBPyConnection, treatments: list[str] | None) -> float | None:
    ((found,),) = store.execute(
        "SELECT avg(value) FROM samples WHERE source = 'canary' AND name = 'cpu_us'"
        " AND ($1 IS NULL OR list_contains($1, treatment))",
        [treatments],
    ).fetchall()
    return None if found is None else float(found)
