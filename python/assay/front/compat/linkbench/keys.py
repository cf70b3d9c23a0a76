"""The meaning of each key of LinkBench's properties files; many are options of the workload itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Meaning(Enum):
    """What becomes of a key of the properties files."""

    GENERAL = "an option of `assay bench` says it"
    TOOL = "the text and the files of LinkBench need it"
    WITHOUT_EFFECT = "without effect"
    ELSEWHERE = "of another store or driver"


@dataclass(frozen=True)
class KnownKey:
    """A known key; `why` completes a sentence that says what to use instead, or whose key it is."""

    meaning: Meaning
    why: str = ""


_GENERAL = (
    "host",
    "port",
    "user",
    "password",
    "dbid",
    "requesters",
    "requests",
    "requestrate",
    "maxtime",
    "warmup_time",
    "max_failed_requests",
    "loaders",
    "progressfreq",
    "load_random_seed",
    "request_random_seed",
)

_TOOL = (
    "workload_file",
    "linkstore",
    "nodestore",
    "linktable",
    "counttable",
    "nodetable",
    "displayfreq",
    "req_progress_interval",
)

_DEAD = "LinkBench itself never reads it"
_WITHOUT_EFFECT = {
    "debuglevel": "there is one level of text",
    "maxsamples": "histograms keep every time",
    "load_progress_interval": "a load shows its rows as it goes",
    "loader_chunk_size": "the size of chunks follows from that of the tables",
    "generate_nodes": "nodes are always loaded",
    "MySQL_bulk_insert_batch": f"{_DEAD}, and the loader chooses its batches",
    "mysql_bulk_insert_batch": "the loader chooses its batches",
    "MySQL_disable_binlog_load": f"{_DEAD}; the binary log is the server's affair",
    "mysql_disable_binlog_load": "the binary log is the server's affair: sql_log_bin, skip_log_bin",
}

_ROCKS, _MAP_REDUCE = "RocksDB", "MapReduce"
_ELSEWHERE = {
    "write_options_sync": _ROCKS,
    "write_options_disableWAL": _ROCKS,
    "tempdir": _MAP_REDUCE,
    "loaddata": _MAP_REDUCE,
    "useinputfiles": _MAP_REDUCE,
    "reportprogress": _MAP_REDUCE,
}

KNOWN: dict[str, KnownKey] = {
    **{key: KnownKey(Meaning.GENERAL) for key in _GENERAL},
    **{key: KnownKey(Meaning.TOOL) for key in _TOOL},
    **{key: KnownKey(Meaning.WITHOUT_EFFECT, why) for key, why in _WITHOUT_EFFECT.items()},
    **{key: KnownKey(Meaning.ELSEWHERE, whose) for key, whose in _ELSEWHERE.items()},
}
