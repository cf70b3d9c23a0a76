"""The options and measures of experiments beyond a steady load.

`assay.measurement.run.experiments` carries them out. A new one is an entry here, and a file there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.design.study.values import Scalar


@dataclass(frozen=True)
class Option:
    """An option, a key of `[experiment]`; a value has the default's type, is one of `choices`, and not below
    `least`.
    """

    default: Scalar
    help: str
    choices: tuple[str, ...] = ()
    least: float = 0


@dataclass(frozen=True)
class ExperimentMeasure:
    """A measure of an experiment, with its unit."""

    unit: str
    help: str
    higher_is_better: bool = False


@dataclass(frozen=True)
class Experiment:
    """The properties of an experiment. `empty`: it begins on a server without tables, not on a dataset.
    `restarts`: it ends its server.

    `own_load`: it sends statements of its own beside the load, so that the server counts more than the load
    sent. `replicated`: its server is a source; options `replicas`, `mode`, `positions` say what follows it
    and how. `restarts_for`: an option with which it ends the server unless it is 0. `holds`: an option with
    the number of connections that the lab itself holds open beside the load.
    """

    summary: str
    options: Mapping[str, Option]
    measures: Mapping[str, ExperimentMeasure]
    empty: bool = False
    restarts: bool = False
    replicated: bool = False
    restarts_for: str = ""
    holds: str = ""
    own_load: bool = False


_SESSIONS = Option(0, "connections at work; 0: as many as [load] threads says")
_LEDGER = Option(4, "connections that keep a ledger of what was acknowledged", least=1)
_ACKNOWLEDGED = ExperimentMeasure("", "commits in the ledger", higher_is_better=True)

EXPERIMENTS: dict[str, Experiment] = {
    "bulk-load": Experiment(
        summary="How long does a load take, and how large is what it leaves?",
        options={
            "sessions": _SESSIONS,
            "index": Option(
                "after", "secondary index made after the rows, or there before them", ("after", "before")
            ),
            "way": Option(
                "auto",
                '"file" (LOAD DATA), "bulk" (MariaDB), "insert" (SQL text), or the quickest',
                ("auto", "file", "bulk", "insert"),
            ),
            "rows_per_statement": Option(0, "rows of one statement; 0: as many as make it cheap"),
            "read_s": Option(
                0.0, "seconds for which a restarted server with a cold cache is read; 0: not at all"
            ),
        },
        measures={
            "load_s": ExperimentMeasure("s", "rows and secondary index"),
            "load_rows_per_s": ExperimentMeasure("/s", "rows by load_s", higher_is_better=True),
            "load_cpu_us_per_row": ExperimentMeasure("us", "of the server process"),
            "load_write_bytes_per_row": ExperimentMeasure("B", "that the server process sent to its disk"),
            "file_bytes_per_row": ExperimentMeasure("B", "length of the table's files"),
            "disk_bytes_per_row": ExperimentMeasure(
                "B", "what they take on disk; less where pages have holes"
            ),
            "cold_qps": ExperimentMeasure(
                "/s", "queries of the workload from a cold cache", higher_is_better=True
            ),
            "cold_read_bytes_per_query": ExperimentMeasure(
                "B", "that the server process had read from its disk"
            ),
            "cold_pages_per_query": ExperimentMeasure("", "that InnoDB read"),
        },
        empty=True,
        restarts_for="read_s",
    ),
    "crash-recovery": Experiment(
        summary="After a SIGKILL under load: when does it answer, and is all there that it had promised?",
        options={
            "sessions": _SESSIONS,
            "ledger_sessions": _LEDGER,
            "ledger_engine": Option(
                "innodb", "storage engine of the ledger's table", ("innodb", "myisam", "aria")
            ),
            "redo_mb": Option(
                0.0, "kill as soon as so much redo (MB) is not yet in the data files; 0: at the window's end"
            ),
        },
        measures={
            "recovery_s": ExperimentMeasure("s", "from the start to the first answer"),
            "checkpoint_age_mb": ExperimentMeasure(
                "MB", "redo that was not yet in the data files at the kill"
            ),
            "pages_recovered": ExperimentMeasure(
                "", "to which redo was applied, where the server's log tells"
            ),
            "acknowledged": _ACKNOWLEDGED,
            "lost_commits": ExperimentMeasure("", "acknowledged, and not there"),
            "ghost_rows": ExperimentMeasure("", "never committed, and there"),
        },
        restarts=True,
        own_load=True,
    ),
    "schema-change": Experiment(
        summary="What does an ALTER TABLE cost those who use the table meanwhile?",
        options={
            "sessions": _SESSIONS,
            "statement": Option(
                "ALTER TABLE sbtest1 ADD INDEX c_1 (c)", "carried out a third into the window"
            ),
            "algorithm": Option(
                "", "COPY, INPLACE, NOCOPY or INSTANT, added to the statement; empty: not given"
            ),
            "open_transaction_s": Option(
                0.0, "seconds for which a transaction that has read the table stays open"
            ),
            "idle": Option(False, "no load beside the statement"),
        },
        measures={
            "ddl_s": ExperimentMeasure("s", "from the statement to its answer"),
            "tps_during_pct": ExperimentMeasure(
                "%", "throughput while it ran, of that before", higher_is_better=True
            ),
            "lowest_tps_pct": ExperimentMeasure(
                "%", "the worst second, of that before", higher_is_better=True
            ),
            "longest_transaction_ms": ExperimentMeasure(
                "ms", "that ended while it ran or in the second after"
            ),
            "longest_statement_ms": ExperimentMeasure("ms", "of the load, that ended then"),
            "table_growth_bytes": ExperimentMeasure("B", "of the data directory on disk"),
            "temporary_bytes": ExperimentMeasure(
                "B", "taken on disk while it ran, and neither before nor after"
            ),
        },
    ),
    "buffer-pool-warmth": Experiment(
        summary="How long is a restarted server slower than a warm one?",
        options={
            "sessions": _SESSIONS,
            "start": Option(
                "cold",
                "empty, its pages listed at the stop and read again, or never restarted",
                ("cold", "dumped", "warm"),
            ),
        },
        measures={
            "warm_s": ExperimentMeasure("s", "until throughput stays at 95 % of its steady value"),
            "first_second_pct": ExperimentMeasure(
                "%", "throughput of the first second, of the steady", higher_is_better=True
            ),
            "steady_tps": ExperimentMeasure("/s", "median of the window's last third", higher_is_better=True),
        },
        restarts=True,
    ),
    "connection-storm": Experiment(
        summary="What does a connection cost: to open, and to keep?",
        options={
            "sessions": _SESSIONS,
            "each": Option(1, "transactions after which a connection is closed and opened again", least=1),
            "idle": Option(100, "connections that are held open at once, to weigh them; 0: none"),
        },
        measures={
            "connects_per_s": ExperimentMeasure("/s", "closed and opened again", higher_is_better=True),
            "connect_mean_ms": ExperimentMeasure("ms", "from the goodbye to the login's end"),
            "connect_p95_ms": ExperimentMeasure("ms", "the same, 95th percentile"),
            "connect_p99_ms": ExperimentMeasure("ms", "the same, 99th percentile"),
            "idle_connection_kb": ExperimentMeasure(
                "kB", "that the server's memory grows by, for each of the idle"
            ),
        },
    ),
    "replication": Experiment(
        summary="What does a replica cost a commit, how far is it behind, and what survives a crash?",
        options={
            "sessions": _SESSIONS,
            "ledger_sessions": _LEDGER,
            "replicas": Option(1, "servers that follow the source", least=1),
            "mode": Option(
                "async", "whether a commit waits for the receipt of one replica", ("async", "semi-sync")
            ),
            "timeout_ms": Option(1000, "timeout of the wait of a semi-synchronous commit", least=1),
            "positions": Option(
                "auto",
                "how a replica finds its position; auto: by GTID where available",
                ("auto", "gtid", "file"),
            ),
            "delay_ms": Option(0.0, "delay added in each direction between source and replica"),
            "relay_log_recovery": Option(True, "a restarted replica fetches again what it had not applied"),
            "fault": Option(
                "none",
                "what happens a third into the window; to the source: at its end",
                ("none", "replica-pause", "replica-kill", "source-kill", "source-freeze"),
            ),
            "pause_s": Option(3.0, "for which a replica receives nothing, or is down"),
            "heartbeat_s": Option(30.0, "between heartbeats that an idle source sends; 0: none"),
            "net_timeout_s": Option(60, "of silence after which a replica reconnects", least=1),
        },
        measures={
            "commit_mean_ms": ExperimentMeasure("ms", "of the ledger's commits, up to the fault"),
            "commit_p95_ms": ExperimentMeasure("ms", "the same, 95th percentile"),
            "longest_commit_ms": ExperimentMeasure("ms", "of the ledger, in the whole window"),
            "lag_mean_ms": ExperimentMeasure(
                "ms", "from a write at the source until the slowest replica shows it"
            ),
            "lag_max_ms": ExperimentMeasure("ms", "the longest of the whole window"),
            "unacknowledged_commits": ExperimentMeasure(
                "", "that a semi-synchronous source did not wait out"
            ),
            "fall_back_s": ExperimentMeasure("s", "from the fault until the source waits no longer"),
            "return_s": ExperimentMeasure("s", "from a replica's return until it waits again"),
            "catch_up_s": ExperimentMeasure(
                "s", "of a replica that is back, until it has what the source had then"
            ),
            "broken_replicas": ExperimentMeasure("", "whose applier stopped with an error"),
            "differing_tables": ExperimentMeasure(
                "", "whose checksum on a replica differs from the source's"
            ),
            "acknowledged": _ACKNOWLEDGED,
            "relay_rotations": ExperimentMeasure("", "of a relay log, while the source had nothing to say"),
            "detect_s": ExperimentMeasure(
                "s", "from the freezing of the source until the last replica noticed"
            ),
            "reconnect_s": ExperimentMeasure("s", "from its thaw until all follow it again"),
            "missing_commits": ExperimentMeasure(
                "", "acknowledged by a source that was killed, and on no replica"
            ),
        },
        restarts=True,
        replicated=True,
        own_load=True,
    ),
    "open-transactions": Experiment(
        summary="How many transactions may write at once, and what do open ones cost the others?",
        options={
            "sessions": _SESSIONS,
            "transactions": Option(
                1100, "that are opened one after the other, each with a row not committed", least=1
            ),
        },
        measures={
            "open_transactions": ExperimentMeasure(
                "", "open when the server refused the next, or all", higher_is_better=True
            ),
            "tps_with_open_pct": ExperimentMeasure(
                "%", "throughput beside them, of that before", higher_is_better=True
            ),
            "history_list": ExperimentMeasure(
                "", "transactions whose old versions were not yet purged, at the end"
            ),
        },
        holds="transactions",
    ),
}

MEASURED: dict[str, ExperimentMeasure] = {
    name: measured for experiment in EXPERIMENTS.values() for name, measured in experiment.measures.items()
}
"""Every measure of every experiment; a name that two have means the same in both."""
