"""Finds server variables that differ between treatments, and whether the study varies them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import duckdb

from assay.design.study import Study
from assay.results.verdict.fairness.settings import PREFIX
from assay.results.verdict.fairness.subjects import SUBJECTS
from assay.results.verdict.treatments import Treatment

State = Literal["varied", "follows", "unequal"]

#: True of one start only, by nature: they differ between any two servers and say nothing about fairness.
OF_ONE_START = re.compile(
    r"socket|.*port|bind_address|pid_file|hostname|server_uu?id|datadir|tmpdir|.*_dir|.*_dir_path|.*_file|.*_basename|.*_path"
    r"|log_error|log_bin_index|relay_log.*|timestamp|pseudo_.*|rand_seed\d|last_insert_id|insert_id|gtid_.*"
    r"|server_id|secure_file_priv|(?:slave|replica)_load_tmpdir|wsrep_.*|error_count|warning_count|in_transaction"
)
BUILD = "server.use"
#: Runs at each level below which a value may be as it is by chance.
ENOUGH_RUNS = 2


@dataclass(frozen=True)
class Difference:
    """A server variable whose value in force differs between treatments, or between starts of one.

    `varied`: the study sets it. `follows`: the study does not set it, yet the value is the same wherever the
    server's factors have the same levels, so the server derives it from them. Otherwise it is `unequal`;
    between different builds nothing follows, because their defaults differ.
    """

    variable: str
    values: Mapping[str, str]  # treatment -> value; several values of one treatment joined by " / "
    state: State


def differing_variables(
    study: Study, treatments: Sequence[Treatment], store: duckdb.DuckDBPyConnection
) -> list[Difference]:
    """Returns the variables that differ, first those that the study varies, then those that follow from
    them.
    """
    seen = variables_in_force(store)
    asked = {key.rpartition(".")[2].lower() for key in study.varied}
    # A variable may be set by another's name, as the redo files' size by the redo capacity.
    asked |= {name for subject in SUBJECTS if asked & set(subject.variables) for name in subject.variables}
    known = [one for one in treatments if any(one.name in by for by in seen.values())]
    found = []
    for name, by in seen.items():
        values = {one.name: " / ".join(sorted(set(by.get(one.name, ["–"])))) for one in known}
        if len(set(values.values())) > 1 or any(len(set(runs)) > 1 for runs in by.values()):
            state: State = "varied" if name.lower() in asked else _state(known, by)
            found.append(Difference(name, values, state))
    order = ("varied", "follows", "unequal")
    return sorted(found, key=lambda one: (order.index(one.state), one.variable))


def variables_in_force(store: duckdb.DuckDBPyConnection) -> Mapping[str, Mapping[str, list[str]]]:
    """Returns the values of every variable before the load, of each run of a treatment, without variables
    that are of one start only.
    """
    seen: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    query = (
        "SELECT runs.treatment, facts.key, facts.value FROM facts JOIN runs USING (run_id)"
        " WHERE facts.scope = 'server' AND facts.moment = 'before' AND starts_with(facts.key, ?)"
    )
    for treatment, key, value in store.execute(query, [PREFIX]).fetchall():
        name = key.removeprefix(PREFIX).removesuffix(".value")
        if not OF_ONE_START.fullmatch(name) and not name.endswith(".source"):
            seen[name][treatment].append(str(value))
    return seen


def _state(treatments: Sequence[Treatment], runs: Mapping[str, Sequence[str]]) -> State:
    by_levels: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for one in treatments:
        levels = tuple(sorted(item for item in one.varied.items() if item[0].startswith("server.")))
        if any(factor == BUILD for factor, _ in levels):
            return "unequal"
        by_levels[levels] += runs.get(one.name, [])
    follows = all(len(found) >= ENOUGH_RUNS and len(set(found)) == 1 for found in by_levels.values())
    return "follows" if follows and len(by_levels) > 1 else "unequal"
