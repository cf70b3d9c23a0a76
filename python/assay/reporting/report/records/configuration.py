"""Records of the configuration in force: what the study set, and the defaults that most often decide a
result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from assay.reporting.report.material import Material
from assay.results.verdict.fairness import SUBJECTS

VALUES, ORIGINS = "variables.", "variable_origins."
IMPORTANT = (
    "innodb_buffer_pool_size",
    "innodb_buffer_pool_instances",
    "innodb_redo_log_capacity",
    "innodb_log_file_size",
    "innodb_log_files_in_group",
    "innodb_log_buffer_size",
    "innodb_flush_log_at_trx_commit",
    "innodb_flush_log_at_timeout",
    "innodb_flush_method",
    "innodb_data_file_buffering",
    "innodb_log_file_buffering",
    "innodb_doublewrite",
    "innodb_io_capacity",
    "innodb_io_capacity_max",
    "innodb_flush_neighbors",
    "innodb_max_dirty_pages_pct",
    "innodb_lru_scan_depth",
    "innodb_page_cleaners",
    "innodb_read_io_threads",
    "innodb_write_io_threads",
    "innodb_purge_threads",
    "innodb_use_native_aio",
    "innodb_page_size",
    "innodb_adaptive_hash_index",
    "innodb_change_buffering",
    "innodb_thread_concurrency",
    "log_bin",
    "sync_binlog",
    "binlog_format",
    "transaction_isolation",
    "tx_isolation",
    "max_connections",
    "thread_handling",
    "table_open_cache",
    "query_cache_type",
    "performance_schema",
)
"""Variables that are always shown; one that a server lacks has no row."""

# What servers call it when an options file or the command line set a variable: the lab writes both.
_STATED = frozenset({"CONFIG", "COMMAND-LINE", "COMMAND_LINE", "EXPLICIT", "GLOBAL", "SERVER", "EXTRA"})
_SET_LATER = frozenset({"SQL", "DYNAMIC"})


@dataclass(frozen=True)
class VariableSetting:
    """One server variable before the load. `origin` is a key of the words under [origin]."""

    variable: str
    origin: str
    values: dict[str, str]  # treatment -> value; values of runs that disagree are joined by " / "


def configuration(material: Material) -> list[VariableSetting]:
    """Returns the variables in force: factors first, then others that the study sets, then important
    defaults.
    """
    values, origins = _recorded(material)
    factors = {name for key in material.study.varied if (name := _server_variable(key))}
    stated = {*material.study.server.variables, *material.study.server.dynamic}
    factors, stated = _with_kin(factors), _with_kin({name.lower() for name in stated})
    shown = [name for name in values if name in factors or name in stated or name in IMPORTANT]
    found = [
        VariableSetting(
            name,
            _origin(name, factors, stated, origins),
            {t: " / ".join(sorted(by)) for t, by in values[name].items()},
        )
        for name in shown
    ]
    rank = {"factor": 0, "study": 1}
    place = {name: at for at, name in enumerate(IMPORTANT)}
    return sorted(found, key=lambda s: (rank.get(s.origin, 2), place.get(s.variable, len(place)), s.variable))


def _recorded(material: Material) -> tuple[dict[str, dict[str, set[str]]], dict[str, set[str]]]:
    """Returns the values of each treatment by variable, and their origins as the servers state them."""
    rows = material.rows(
        "select r.treatment, f.key, f.value from facts f join runs r using (run_id)"
        " where f.scope = 'server' and f.moment = 'before'"
        " and (starts_with(f.key, ?) or starts_with(f.key, ?)) order by f.key",
        (VALUES, ORIGINS),
    )
    values: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    origins: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["key"].startswith(ORIGINS):
            origins[row["key"].removeprefix(ORIGINS).lower()].add(str(row["value"]))
        else:
            values[row["key"].removeprefix(VALUES).lower()][row["treatment"]].add(str(row["value"]))
    return values, origins


def _server_variable(factor: str) -> str | None:
    for prefix in ("server.variables.", "server.dynamic."):
        if factor.startswith(prefix):
            return factor.removeprefix(prefix).lower()
    return None


def _with_kin(names: set[str]) -> set[str]:
    """Returns the names, and the variables by which a server of another version sets the same thing."""
    return names | set(_kin(names))


def _kin(names: set[str]) -> Iterator[str]:
    for subject in SUBJECTS:
        if names & set(subject.variables):
            yield from subject.variables


def _origin(name: str, factors: set[str], stated: set[str], origins: dict[str, set[str]]) -> str:
    said = origins.get(name, set())
    if name in factors and (said & (_STATED | _SET_LATER) or not origins):
        return "factor"
    if name in stated and (said & (_STATED | _SET_LATER) or not origins):
        return "study"
    if not origins:
        return "unknown"
    if said & _STATED:
        return "file"
    if said & _SET_LATER:
        return "running"
    return "computed" if "AUTO" in said else "default"
