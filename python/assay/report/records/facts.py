"""What the servers and the host were: settings that differ between treatments, and the environment sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.report.material import Material
from assay.verdict.fairness import SUBJECTS

VARIABLE = "variables."
# True of one start only, by nature: they differ between any two servers and say nothing about fairness.
OF_ONE_START = re.compile(
    r"socket|.*port|bind_address|pid_file|hostname|server_uu?id|datadir|tmpdir|.*_dir|.*_dir_path|.*_file|.*_basename|.*_path"
    r"|log_error|log_bin_index|relay_log.*|timestamp|pseudo_.*|rand_seed\d|last_insert_id|insert_id|gtid_.*"
    r"|server_id|secure_file_priv|(?:slave|replica)_load_tmpdir|wsrep_.*|error_count|warning_count|in_transaction"
)
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
    | loaded_as | killed_at | longest_statement | first_error
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Difference:
    """One server variable whose value in force differs between treatments, or between starts of one.

    `varied`: the study sets it. Otherwise it is unequal without having been asked to be.
    """

    variable: str
    values: dict[str, str]  # treatment -> value; several values of one treatment joined by " / "
    varied: bool


@dataclass(frozen=True)
class Fact:
    """One fact of the environment; `values` has more than one entry when runs disagree."""

    scope: str  # host, server, volume, experiment
    key: str
    values: tuple[str, ...]
    headline: bool


def differences(material: Material) -> list[Difference]:
    """Variables that differ, those the study varies first."""
    rows = material.rows(
        "select r.treatment, f.key, f.value from facts f join runs r using (run_id)"
        " where f.scope = 'server' and f.moment = 'before' and starts_with(f.key, ?)",
        (VARIABLE,),
    )
    seen: dict[str, dict[str, set[str]]] = {}
    for row in rows:
        name = row["key"].removeprefix(VARIABLE).removesuffix(".value")
        if not OF_ONE_START.fullmatch(name) and not name.endswith(".source"):
            seen.setdefault(name, {}).setdefault(row["treatment"], set()).add(str(row["value"]))
    asked = {factor.name.rpartition(".")[2].lower() for factor in material.study.factors}
    # A variable may be set by another's name, as the redo files' size by the redo capacity.
    asked |= {name for subject in SUBJECTS if asked & set(subject.variables) for name in subject.variables}
    treatments = [t for t in material.results.treatments if any(t in by for by in seen.values())]
    found = []
    for name, by_treatment in seen.items():
        values = {t: " / ".join(sorted(by_treatment.get(t, {"–"}))) for t in treatments}
        if len(set(values.values())) > 1 or any(len(v) > 1 for v in by_treatment.values()):
            found.append(Difference(name, values, name.lower() in asked))
    return sorted(found, key=lambda d: (not d.varied, d.variable))


def environment(material: Material) -> list[Fact]:
    """Facts before the load, the telling ones first; variables are in `differences`.

    And what experiments found out.
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
    return sorted(facts, key=lambda fact: (not fact.headline, fact.scope, fact.key))
