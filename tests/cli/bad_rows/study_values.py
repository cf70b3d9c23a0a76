"""Well-formed studies that ask for things that do not exist, through `assay plan`."""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

from bad_rows.row import Row, row

STUDY = """\
[study]
name = "b"

[server]
use = "mariadb"
variables = { innodb_buffer_pool_size = "64M" }

[workload]
use = "oltp_read_write"
tables = 2

[load]
threads = [1, 8]
warmup = "5s"
measure = "10s"

[design]
blocks = 6
"""
FACTOR = '[[factor]]\nname = "{}"\nlevels = {}\n'
CLAIM = '[[hypothesis]]\nclaim = "{}"\n'
CLAIMED = STUDY + FACTOR.format("workload.range_size", "[10, 100]") + CLAIM


def _plan(name: str, old: str, new: str, code: int, *words: str, unclear: str | None = None) -> Row:
    """STUDY with one piece replaced; an empty one stands for its end."""
    assert old in STUDY, old
    text = STUDY.replace(old, new, 1) if old else STUDY + new
    return row(f"plan-{name}", "plan b.toml", code, *words, files={"b.toml": text}, unclear=unclear)


def _pool(name: str, setting: str, code: int, *words: str) -> Row:
    return _plan(f"variable-{name}", 'innodb_buffer_pool_size = "64M"', setting, code, *words)


def _claim(name: str, claim: str, *words: str) -> Row:
    text = CLAIMED.replace("{}", claim)
    return row(
        f"claim-{name}", "plan b.toml", 2, "b.toml:2", "hypothesis[0].claim", *words, files={"b.toml": text}
    )


_VARIABLES = [
    _pool("unknown", "innodb_bufer_pool_size = 1", 4, "innodb_bufer_pool_size: no such variable", "nearest: innodb_buffer_pool_size"),
    _pool("word", 'innodb_buffer_pool_size = "lots"', 4, "innodb_buffer_pool_size: asked for lots", "write a number"),
    _pool("too-large", 'innodb_buffer_pool_size = "900G"', 6, "innodb_buffer_pool_size = 900G is more than this machine has", "of memory"),
    _pool("too-small", 'innodb_buffer_pool_size = "1M"', 4, "innodb_buffer_pool_size: asked for 1M, the server would use", "write the nearest accepted value: innodb_buffer_pool_size ="),
    _pool("negative", "innodb_io_capacity = -5", 4, "innodb_io_capacity: asked for -5", "write the nearest accepted value: innodb_io_capacity = 100"),
    _pool("clamped", "innodb_io_capacity = 1", 4, "asked for 1, the server would use 100", "innodb_io_capacity = 100"),
    _pool("statement-time", "max_statement_time = 0.01", 2, "max_statement_time = 0.01 ends each statement after 0.01 s", "set max_statement_time to 0"),
    _pool("read-only-session", "tx_read_only = true", 2, "tx_read_only = ", "refuses every write", "set tx_read_only to OFF"),
    _pool("above", "innodb_read_io_threads = 999", 4, "the server would use 64", "innodb_read_io_threads = 64"),
    _pool("not-a-switch", 'innodb_doublewrite = "hh"', 4, "innodb_doublewrite: asked for hh", "by default innodb_doublewrite ="),
    _pool("method", 'innodb_flush_method = "wrong"', 4, "innodb_flush_method: asked for wrong", "by default innodb_flush_method ="),
    _pool("gone", "innodb_buffer_pool_instances = 8", 4, "innodb_buffer_pool_instances", "does not have it since 10.6"),
    _pool("of-the-lab", 'datadir = "/x"', 2, "b.toml", "datadir: is set by the lab itself", "server.data_dir"),
    _pool("port", "port = 3306", 2, "b.toml", "port: is set by the lab itself", "take it out"),
    _pool("sql-mode", 'sql_mode = "FOO"', 4, "sql_mode: 'FOO' refused"),
    _pool("two-names", 'innodb_redo_log_capacity = "128M", innodb_log_file_size = "64M"', 2, "innodb_log_file_size", "innodb_redo_log_capacity"),
    _pool("connections", "max_connections = 5", 2, "b.toml:6: server.variables.max_connections: 5 is too few for load.threads = 8", "write max_connections = 30", "fewer load.threads"),
    _pool("statements", "max_prepared_stmt_count = 10", 2, "server.variables.max_prepared_stmt_count: 10 is too few for load.threads = 8", 'load.ps_mode = "disable"'),
]  # fmt: skip

PLACES = [
    _plan("flavour", '"mariadb"', '"oracle"', 2, "b.toml:5", "server.use = 'oracle': no such server", "known: mariadb, percona, mysql"),
    _plan("version", '"mariadb"', '"mariadb@ten"', 2, "b.toml:5", "'ten' is not a version", "mariadb@10.11"),
    _plan("not-here", '"mariadb"', '"mariadb@4.0"', 6, "no MariaDB 4.0 server on this machine"),
    _plan("path", '"mariadb"', '"path:/nope"', 6, "path:/nope: contains no server binary", "bin/mysqld"),
    _plan("path-empty", '"mariadb"', '"path:"', 2, "b.toml:5", "path:", "path:/base/dir"),
    _plan("path-file", '"mariadb"', '"path:/etc/passwd"', 6, "/etc/passwd does not print its version", "cannot be run: Permission denied", "try it:"),
    _plan("dsn", '"mariadb"', '"dsn:foo"', 2, "b.toml:5", "'dsn:foo' is not a server address", "dsn:mysql://user@host:3306/database"),
    _plan("dsn-no-user", '"mariadb"', '"dsn:mysql://h/db"', 2, "b.toml:5", "no user", "dsn:mysql://user@host:3306/database"),
    _plan("dsn-no-database", '"mariadb"', '"dsn:mysql://u@127.0.0.1:1"', 2, "b.toml", "must name a database", "dsn:mysql://user@host:3306/database"),
    _plan("dsn-option", '"mariadb"', '"dsn:mysql://u@h/db?sockt=/x"', 2, "b.toml:5", "unknown option 'sockt'", "socket, password_env"),
    _plan("dsn-port", '"mariadb"', '"dsn:mysql://u@h:99999/db"', 2, "b.toml:5", "the port is not a number from 1 to 65535"),
    _plan("dsn-password", '"mariadb"', '"dsn:mysql://u:secret@h/db"', 2, "b.toml:5", "the DSN of user u must not contain a password", "$ASSAY_PASSWORD"),
    _plan("cpus", 'use = "mariadb"', 'use = "mariadb"\ncpus = "0-99"', 6, "server.cpus: processors", "do not exist here, or are not available to this process", "this process may use"),
    _plan("cpus-word", 'use = "mariadb"', 'use = "mariadb"\ncpus = "all"', 2, "b.toml:6: server.cpus", '"all" is not allowed', "0-3,8"),
    _plan("cpus-vast", 'use = "mariadb"', 'use = "mariadb"\ncpus = "0-99999999999"', 2, "b.toml", "server.cpus", "0-3,8"),
    _plan("numa", 'use = "mariadb"', 'use = "mariadb"\nnuma = "bind=900"', 6, "900"),
    _plan("allocator", 'use = "mariadb"', 'use = "mariadb"\nallocator = "jmalloc"', 2, "b.toml:6: server.allocator", 'did you mean "jemalloc"?'),
    _plan("memory", 'use = "mariadb"', 'use = "mariadb"\nmemory = "9000G"', 6, "server.memory = 9000G must be less than the memory of this machine", "this machine has"),
    _plan("data-dir", 'use = "mariadb"', 'use = "mariadb"\ndata_dir = "/nope"', 6, "server.data_dir: there is no directory /nope", "create it"),
    _plan("data-dir-file", 'use = "mariadb"', 'use = "mariadb"\ndata_dir = "/etc/passwd"', 6, "server.data_dir: there is no directory /etc/passwd"),
    _plan("redo-dir", 'use = "mariadb"', 'use = "mariadb"\nredo_dir = "/nope"', 6, "server.redo_dir: there is no directory /nope"),
    _plan("binlog-dir", 'use = "mariadb"', 'use = "mariadb"\nbinlog_dir = "/tmp"', 2, "server.binlog_dir", "must write a binary log", "log_bin"),
    _plan("engine", "[load]", '[schema]\nengine = "rocksdb"\n\n[load]', 4, 'schema.engine: MariaDB', 'has no storage engine "rocksdb"', "it has InnoDB"),
    _plan("host-knob", "[load]", '[host]\nblock.scheduler = "no-such"\n\n[load]', 6, "no-such", "assay host knobs"),
    _plan("volume", "[load]", '[volume]\nraid = "raid5"\ndevices = 2\n\n[load]', 2, "volume.devices: raid5 needs at least 3, not 2"),
]  # fmt: skip

_LOAD = [
    _plan("threads-text", "[1, 8]", '"8"', 2, 'b.toml:13: load.threads: "8" is not a list; write [8]'),
    _plan("threads-vast", "[1, 8]", "[10000000]", 2, "b.toml:13: load.threads[0]: 10000000 threads are more than a study may have: at most 1000000"),
    _plan("threads-many", "[1, 8]", "[500000]", 4, "max_connections: asked for 500020", "for load.threads = 500000", "write the nearest accepted value"),
    _plan("threads-huge", "[1, 8]", "[99999999999999999999]", 2, "b.toml:13: load.threads[0]", "at most"),
    _plan("rate-vast", "threads = [1, 8]", "rate = [1e300]", 2, "b.toml:13: load.rate[0]", "at most"),
    _plan("rate-nan", "threads = [1, 8]", "rate = [nan]", 2, "b.toml:13: load.rate[0]", "is not a rate"),
    _plan("rate-inf", "threads = [1, 8]", "rate = [inf]", 2, "b.toml:13: load.rate[0]", "is not a rate"),
    _plan("measure-vast", '"10s"', '"99999h"', 2, 'b.toml:15: load.measure: "99999h"', "at most"),
    _plan("warmup-vast", '"5s"', '"99999h"', 2, 'b.toml:14: load.warmup: "99999h"', "at most"),
    _plan("measure-day", '"10s"', '"9000h"', 6, "no room for the results"),
    _plan("measure-empty", '"10s"', '""', 2, "load.measure", 'as in "60s"'),
    _plan("warmup-steady", '"5s"', '"until-steady <= 1"', 2, "b.toml:14: load.warmup"),
    _plan("seed", "blocks = 6", "seed = 9007199254740993", 2, "b.toml:18: design.seed", "allowed: below 9007199254740992"),
    _plan("seed-negative", "blocks = 6", "seed = -1", 2, "b.toml:18: design.seed: -1 is out of range; allowed: at least 0"),
    _plan("blocks-text", "blocks = 6", 'blocks = "6"', 2, 'design.blocks: "6" is not a whole number'),
    _plan("workload", "oltp_read_write", "oltp_readwrite", 2, "b.toml:9: workload.use", 'no workload is called "oltp_readwrite"; did you mean "oltp_read_write"?'),
    _plan("option", "tables = 2", "tabels = 2", 2, "b.toml:10: workload.tabels", 'did you mean "tables"?', "assay bench oltp_read_write --help"),
    _plan("option-zero", "tables = 2", "tables = 0", 2, "b.toml:10: workload.tables: 0 is out of range; allowed: at least 1"),
    _plan("option-negative", "tables = 2", "table_size = -1", 2, "b.toml:10: workload.table_size: -1 is out of range"),
    _plan("option-text", "tables = 2", 'tables = "2"', 2, 'b.toml:10: workload.tables: "2" is not a whole number'),
    _plan("option-fraction", "tables = 2", "table_size = 99e9", 2, "b.toml:10: workload.table_size", "is not a whole number"),
    _plan("option-nan", "tables = 2", "rand_zipfian_exp = nan", 2, "b.toml:10: workload.rand_zipfian_exp"),
    _plan("option-word", "tables = 2", 'rand_type = "zipf"', 2, 'b.toml:10: workload.rand_type: "zipf" is not allowed', 'did you mean "zipfian"?'),
    _plan("option-switch", "tables = 2", "skip_trx = 1", 2, "b.toml:10: workload.skip_trx: 1 is not true or false"),
    _plan("option-beyond", "tables = 2", "table_size = 100000000000000000000", 2, "b.toml:10: workload.table_size", "allowed: at most"),
    _plan("rows-many", "tables = 2", "table_size = 99_000_000_000", 6, "no room for the datasets of this study", "TiB needed", "GiB free"),
    _plan("factor-option", "", FACTOR.format("workload.range_sise", "[1, 2]"), 2, "workload.range_sise", 'did you mean "range_size"?', "b.toml:2"),
    _plan("factor-variable", "", FACTOR.format("server.variables.innodb_io_capasity", "[100, 200]"), 4, "innodb_io_capasity: no such variable", "innodb_io_capacity"),
    _plan("factor-server", 'use = "mariadb"\n', "", 2, "server.use: is missing", 'use = "mariadb"'),
]  # fmt: skip

_CLAIMS = [
    _claim("measure", "tpz[range_size=10] > tps[range_size=100]", 'unknown measure "tpz"', 'did you mean "tps"?'),
    _claim("factor", "tps[range=10] > tps[range_size=100]", 'no factor "range"', "range_size"),
    _claim("level", "tps[range_size=11] > tps[range_size=100]", '"range_size" has no level "11"', "10, 100"),
    _claim("rung", "tps[range_size=10, threads=4] > 5", "threads=4 is not on the ladder [1, 8]", "the nearest rung"),
    _claim("rate", "tps[range_size=10, rate=4] > 5", "names rate", "[load] threads"),
    _claim("empty", "", "b.toml:2"),
    _claim("one-side", "tps[range_size=10] >", "expected"),
    _claim("bracket", "tps[range_size=10 > 3", "]"),
    _claim("equals", "tps[range_size=10] = tps[range_size=100]", "="),
    _claim("kind", "nope.p95_ms[range_size=10] < 5", "has no kinds of transactions"),
    _claim("unit", "p95_ms[range_size=10] < 5 parsecs", "parsecs"),
    _claim("twice", "tps[range_size=10, workload.range_size=10] > 5", "twice"),
    row("claim-at", "plan b.toml", 2, 'hypothesis[0].at[0]: "4" is not a number', files={"b.toml": CLAIMED.replace("{}", "tps[range_size=10] > 5") + 'at = ["4"]\n'}),
    row("claim-at-rung", "plan b.toml", 2, "hypothesis[0].at[0]: threads=4 is not on the ladder [1, 8]", files={"b.toml": CLAIMED.replace("{}", "tps[range_size=10] > 5") + "at = [4]\n"}),
    row("claim-margin", "plan b.toml", 2, "hypothesis[0].margin: 2 is out of range; allowed: below 1", files={"b.toml": CLAIMED.replace("{}", "tps[range_size=10] > 5") + "margin = 2\n"}),
    row("verdict-confidence", "plan b.toml", 2, "verdict.confidence: 95 is out of range; allowed: below 1", files={"b.toml": STUDY + "[verdict]\nconfidence = 95\n"}),
]  # fmt: skip

ROWS: list[Row] = [*_VARIABLES, *PLACES, *_LOAD, *_CLAIMS]
