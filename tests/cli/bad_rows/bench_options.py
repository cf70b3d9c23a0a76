"""Options of `assay bench`: nothing is connected to before they are right."""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

from bad_rows.row import Row, row

HERE = "--socket nobody.sock"


def _bench(name: str, options: str, *words: str, code: int = 2, unclear: str | None = None) -> Row:
    """Where nobody listens: whatever is not refused at once ends with 3."""
    return row(f"bench-{name}", f"bench oltp_read_write {options} {HERE}", code, *words, unclear=unclear)


_NUMBERS = [
    _bench("threads-text", "--threads x", "Invalid value for '--threads'"),
    _bench("threads-zero", "--threads 0", "Invalid value for '--threads'", "1"),
    _bench("threads-negative", "--threads=-1", "Invalid value for '--threads'"),
    _bench("threads-fraction", "--threads 1.5", "Invalid value for '--threads'"),
    _bench("threads-beyond", "--threads 99999999999999999999", "'--threads'"),
    _bench("seed-beyond", "--seed 100000000000000000000000", "'--seed'"),
    _bench("seed-negative", "--seed=-1", "'--seed'"),
    _bench("events-beyond", "--events 99999999999999999999999", "'--events'"),
    _bench("events-negative", "--events=-1", "'--events'"),
    _bench("rate-nan", "--rate nan", "'--rate'"),
    _bench("rate-inf", "--rate inf", "'--rate'"),
    _bench("rate-negative", "--rate=-1", "'--rate'"),
    _bench("rate-vast", "--rate 1e300", "'--rate'"),
    _bench("time-nan", "--time nan", "'--time'"),
    _bench("time-inf", "--time inf", "'--time'"),
    _bench("time-vast", "--time 1e300", "'--time'"),
    _bench("time-negative", "--time=-5", "'--time'"),
    _bench("time-word", "--time ten", "'--time'", "number of seconds"),
    _bench("time-unit", "--time 5parsecs", "'--time'", "number of seconds"),
    _bench("warmup-inf", "--warmup inf", "'--warmup'"),
    _bench("warmup-nan", "--warmup nan", "'--warmup'"),
    _bench("interval-nan", "--report-interval nan", "'--report-interval'"),
    _bench("terminals-negative", "--terminals=-1", "'--terminals'"),
    _bench("reconnect-text", "--reconnect often", "'--reconnect'"),
    _bench("engine-threads", "--engine-threads=-1", "'--engine-threads'"),
    _bench("port-zero", "--port 0", "'--port'"),
    _bench("port-high", "--port 65536", "'--port'"),
    _bench("probes", "--find-rate --p95 5ms --probes 0", "'--probes'"),
    _bench("precision", "--find-rate --p95 5ms --precision 2", "'--precision'"),
    _bench("objective-unit", "--find-rate --p99 10", "'--p99'", "ms"),
    _bench("objective-none", "--find-rate", "--p95", "--p99"),
    _bench("objective-alone", "--p99 10ms", "--find-rate"),
    _bench("probe-time", "--find-rate --p99 10ms --probe-time nan", "'--probe-time'"),
]  # fmt: skip

_WORKLOAD = [
    row("bench-none", "bench", 2, "Workloads"),
    row("bench-workload", "bench oltp_readwrite", 2, "oltp_readwrite", "oltp_read_write"),
    row("bench-action", f"bench oltp_read_write prepar {HERE}", 2, "prepar", "prepare"),
    row("resume-own", f"bench sql:q.sql prepare --resume {HERE}", 2, "--resume cannot continue a load of sql:q.sql", "drop the tables", files={"q.sql": "SELECT 1;"}),
    row("bench-two-actions", f"bench oltp_read_write prepare run {HERE}", 2, "run"),
    _bench("table-size-zero", "--table-size 0", "'--table-size'", "1"),
    _bench("table-size-text", "--table-size many", "'--table-size'"),
    _bench("table-size-beyond", "--table-size 99999999999999999999", "table"),
    _bench("tables-zero", "--tables 0", "'--tables'", "1"),
    _bench("tables-beyond", "--tables 9999999999", "tables"),
    _bench("option", "--tabel-size 5", "--tabel-size", "--table-size"),
    _bench("rand-type", "--rand-type zipf", "'--rand-type'", "zipfian"),
    _bench("rand-nan", "--rand-zipfian-exp nan", "rand"),
    _bench("switch", "--skip-trx=maybe", "'--skip-trx'", "on"),
    _bench("ps-mode", "--ps-mode off", "'--ps-mode'", "disable"),
    _bench("on-error", "--on-error ignore", "'--on-error'", "count"),
    _bench("ssl-mode", "--ssl-mode on", "'--ssl-mode'", "required"),
    _bench("ssl-ca", "--ssl-mode required --ssl-ca /nope.pem", "/nope.pem"),
    _bench("var-alone", "--var innodb_io_capacity=200", "--server"),
    _bench("resume-run", "--resume", "--resume", "prepare"),
    _bench("json-report", "--json extra", "extra"),
]  # fmt: skip

_OF_SYSBENCH = [
    _bench("sysbench-driver", "--db-driver=mysql", "--db-driver"),
    _bench("sysbench-password", "--mysql-password=x", "--mysql-password", "ASSAY_PASSWORD"),
    _bench("sysbench-seed", "--rand-seed=x", "'x' is not a whole number"),
    _bench("sysbench-percentile", "--percentile=101", "--percentile", "100"),
    _bench("sysbench-lua", "--lua-path=/x", "--lua-path"),
    _bench("sysbench-auto-inc", "--auto-inc=perhaps", "--auto-inc", "on"),
    _bench("sysbench-errors", "--mysql-ignore-errors=1213", "--mysql-ignore-errors", "--on-error"),
    _bench("sysbench-checkpoints", "--report-checkpoints=5", "--report-checkpoints"),
    _bench("sysbench-validate", "--validate", "--validate"),
]  # fmt: skip

_SERVER = [
    row("bench-server-flavour", "bench oltp_read_write --server oracle", 2, "no such server", "known: mariadb, percona, mysql"),
    row("bench-server-path", "bench oltp_read_write --server path:/nope", 6, "path:/nope: contains no server binary"),
    row("bench-server-prepare", "bench oltp_read_write prepare --server mariadb", 2, "cannot be combined with prepare", "assay server start"),
    row("bench-server-var", "bench oltp_read_write --server mariadb --var x", 2, "--var x: expected NAME=VALUE"),
    row("bench-server-variable", "bench oltp_read_write --server mariadb --var innodb_io_capacity=1", 4, "the server would use 100"),
    row("bench-server-socket", "bench oltp_read_write --server mariadb --socket /x", 2, "--server", "--socket"),
    row("bench-server-rows", "bench oltp_read_write --server mariadb --table-size 99000000000", 6, "no room for the datasets"),
]  # fmt: skip

ROWS: list[Row] = [*_NUMBERS, *_WORKLOAD, *_OF_SYSBENCH, *_SERVER]
