"""Records of facts about servers and host: settings that differ between treatments, and the environment
sheet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.reporting.report.material import MAIN, Material
from assay.results.verdict import treatments_of
from assay.results.verdict.fairness import Difference, differing_variables

VARIABLE = "variables."
HEADLINE_FACTS = re.compile(
    r"""
      system\.(?:os|virtualisation|container)
    | cpu\.(?:model|logical|cores|sockets|smt|governor|mhz)
    | memory\.(?:total_bytes|swap_total_bytes|transparent_hugepage)
    | memory\.vm\.(?:swappiness|dirty_ratio|dirty_background_ratio)
    | numa\.nodes
    | kernel\.(?:release|clocksource)
    | block\..*\.(?:kind|model|firmware|driver|size_bytes|raid_level|raid_degraded|drive_write_cache)
    | block\..*\.queue\.(?:scheduler|rotational|read_ahead_kb|nr_requests|write_cache)
    | raid\..*\.(?:model|firmware|battery|cache|cache_ratio|raid|level|state|progress|at_work)
    | raid\..*\.(?:write_policy|write_policy_set|read_policy|io_policy|strip|disk_cache)
    | file_system\..*\.(?:type|options|super_options)
    | cgroup\.(?:cpu_max|cpus|memory_max)
    | version | version_comment
    | file_system | mount | raid | devices | (?:device|usable)_bytes | unallocated_pct | page_cache
    | autocommit | sql_mode | time_zone | (?:transaction|tx)_isolation | character_set_client
    | loaded_as | killed_at | longest_statement | first_error
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Fact:
    """One fact of the environment; `values` has more than one entry when runs disagree."""

    scope: str  # host, server, session, volume, experiment, generator
    key: str
    values: tuple[str, ...]
    headline: bool


def differences(material: Material) -> list[Difference]:
    """Returns the variables that differ, those that the study varies first."""
    store = material.cursor()
    return differing_variables(material.study, treatments_of(material.study, store), store)


def environment(material: Material) -> list[Fact]:
    """Returns the facts before the load, the most important first, the findings of experiments, and version
    and build of the load generator.

    Server variables are in `differences`.
    """
    rows = material.rows(
        "select scope, key, list(distinct value order by value) as values from facts"
        " where (moment = 'before' or scope = 'experiment') and not starts_with(key, ?)"
        " group by scope, key order by scope, key",
        (VARIABLE,),
    )
    facts = [
        Fact(
            row["scope"],
            row["key"],
            tuple(str(value) for value in row["values"]),
            bool(HEADLINE_FACTS.fullmatch(row["key"])),
        )
        for row in rows
    ]
    query = f"SELECT DISTINCT engine FROM {MAIN}.runs WHERE engine IS NOT NULL ORDER BY engine"
    if engines := tuple(str(row["engine"]) for row in material.rows(query)):
        facts.append(Fact("generator", "engine", engines, headline=True))
    return sorted(facts, key=lambda fact: (not fact.headline, fact.scope, fact.key))
