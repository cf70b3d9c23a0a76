"""Wrong files, verbs and options of `plan` and `run`, and options of `run` about servers, before anything
starts.
"""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

import os

from bad_rows.row import Place, Row, row
from bad_rows.study_values import STUDY


def _named_pipe(place: Place) -> None:
    os.mkfifo(place.folder / "pipe.toml")


def _included_pipe(place: Place) -> None:
    os.mkfifo(place.folder / "pipe.fio")


def _socket_file(place: Place) -> None:
    (place.folder / "s.toml").symlink_to(place.socket)


def _loop(place: Place) -> None:
    (place.folder / "l.toml").symlink_to("l.toml")


def _other_results(place: Place) -> None:
    (place.folder / "r").mkdir()
    (place.folder / "r/mine.txt").touch()


GOOD = {"b.toml": STUDY}
_BOM = b"\xef\xbb\xbf"

_FILES = [
    row("file-missing", "plan none.toml", 2, "none.toml: cannot be read: No such file"),
    row("file-missing-run", "run none.toml", 2, "none.toml: cannot be read: No such file"),
    row("file-folder", "plan {here}", 2, "cannot be read: Is a directory"),
    row("file-empty", "plan e.toml", 2, "e.toml: study: is missing", files={"e.toml": ""}),
    row("file-null", "plan /dev/null", 2, "/dev/null: study: is missing"),
    row("file-endless", "plan /dev/zero", 2, "/dev/zero: is larger than 4 MiB: it is not a study"),
    row("file-pipe", "plan pipe.toml", 2, "pipe.toml: cannot be read: a study must be a regular file, not a named pipe", before=_named_pipe),
    row("file-pipe-run", "run pipe.toml", 2, "pipe.toml: cannot be read: a study must be a regular file, not a named pipe", before=_named_pipe),
    row("file-included-pipe", "plan b.toml", 2, "pipe.fio: cannot be read: a workload's file must be a regular file", files={"b.toml": STUDY.replace("oltp_read_write", "fio:j.fio"), "j.fio": "include pipe.fio\n"}, before=_included_pipe),
    row("file-socket", "plan s.toml", 2, "s.toml: cannot be read", before=_socket_file),
    row("file-loop", "plan l.toml", 2, "l.toml: cannot be read: Too many levels of symbolic links", before=_loop),
    row("file-long-name", f"plan {'x' * 300}.toml", 2, "cannot be read: File name too long"),
    row("file-utf16", "plan u.toml", 2, "u.toml: is in UTF-16", "save it as UTF-8", files={"u.toml": STUDY.encode("utf-16")}),
    row("file-latin1", "plan u.toml", 2, "u.toml: is not UTF-8 text", files={"u.toml": '[study]\nname = "a" # \xe9'.encode("latin-1")}),
    row("file-binary", "plan u.toml", 2, "u.toml: is not UTF-8 text", files={"u.toml": bytes(range(256))}),
    row("file-zeros", "plan u.toml", 2, "u.toml:1: is not valid TOML", files={"u.toml": b"\0" * 100}),
    row("file-bom", "plan b.toml", 0, "6 runs", files={"b.toml": _BOM + STUDY.encode()}),
    row("file-crlf", "plan b.toml", 0, "6 runs", files={"b.toml": STUDY.replace("\n", "\r\n")}),
    row("file-json", "plan b.json", 2, "b.json:1: is not valid TOML", files={"b.json": '{"study": {"name": "a"}}'}),
    row("file-yaml", "plan b.yaml", 2, "b.yaml:1: is not valid TOML", files={"b.yaml": "study:\n  name: a\n"}),
    row("file-nested", "plan n.toml", 2, "n.toml: is not valid TOML", "nested too deep", files={"n.toml": "a = " + "[" * 5000 + "]" * 5000}),
    row("file-twice", "plan b.toml", 2, "b.toml:6: is not valid TOML", files={"b.toml": STUDY.replace('use = "mariadb"', 'use = "mariadb"\nuse = "mysql"')}),
    row("file-quote", "plan b.toml", 2, 'b.toml:5: is not valid TOML', 'strings stand in quotes', files={"b.toml": STUDY.replace('"mariadb"', "mariadb")}),
]  # fmt: skip

_VERBS = [
    row("verb-none", "", 2, "Begin:", "One measurement without a study:"),
    row("verb-unknown", "pln b.toml", 2, 'assay has no verb "pln"; did you mean "plan"?', "see: assay --help"),
    row("verb-upper", "PLAN b.toml", 2, 'did you mean "plan"?'),
    row("verb-option", "--jsn", 2, "No such option", "see: assay --help"),
    row("demo-server-unknown", "demo --server mariadb@3.23", 6, "no MariaDB 3.23 server on this machine"),
    row("demo-server-gone", "demo --server dsn:mysql://root@localhost/test?socket={here}/no.sock", 3, "no.sock"),
    row("demo-study", "demo b.toml", 2, "unexpected extra argument (b.toml)", "see: assay demo --help", files=GOOD),
    row("plan-no-file", "plan", 2, "Missing argument 'STUDY'", "see: assay plan --help"),
    row("plan-two-files", "plan b.toml b.toml", 2, "unexpected extra argument (b.toml)", "see: assay plan --help", files=GOOD),
    row("plan-option-sed", "plan b.toml --sed 1", 2, "No such option '--sed'", "--seed", files=GOOD),
    row("plan-seed-text", "plan b.toml --seed x", 2, "Invalid value for '--seed'", files=GOOD),
    row("plan-option-seed-negative", "plan b.toml --seed -1", 2, "Invalid value for '--seed'", "expected from 0 to 9,007,199,254,740,991", files=GOOD),
    row("plan-results-file", "plan b.toml --results b.toml", 2, "b.toml", "is a file", files=GOOD),
    row("plan-results-other", "plan b.toml --results r", 7, "r is not empty and contains no results of a study", "--results", files=GOOD, before=_other_results),
    row("run-no-file", "run", 2, "Missing argument 'STUDY'", "see: assay run --help"),
    row("run-blocks-zero", "run b.toml --blocks 0", 2, "Invalid value for '--blocks'", "expected from 1 to 99", files=GOOD),
    row("run-blocks-many", "run b.toml --blocks 100", 2, "Invalid value for '--blocks'", "expected from 1 to 99", files=GOOD),
    row("run-blocks-text", "run b.toml --blocks six", 2, "Invalid value for '--blocks'", files=GOOD),
    row("run-results-null", "run b.toml --results /dev/null", 2, "/dev/null", files=GOOD),
    row("run-results-file", "run b.toml --results b.toml", 2, "b.toml", "is a file", files=GOOD),
    row("run-results-below-file", "run b.toml --results b.toml/r", 6, "b.toml/r", files=GOOD),
    row("run-results-proc", "run b.toml --results /proc/r", 6, "/proc", files=GOOD),
    row("run-results-other", "run b.toml --results r", 7, "r is not empty and contains no results of a study", files=GOOD, before=_other_results),
    row("run-option-block", "run b.toml --block 3", 2, "No such option '--block'", "--blocks", files=GOOD),
]  # fmt: skip


def _run(name: str, old: str, new: str, code: int, *words: str) -> Row:
    """What `run` refuses before it starts anything; `plan` refuses it in the same words (study_values)."""
    assert old in STUDY, old
    return row(f"run-{name}", "run b.toml", code, *words, files={"b.toml": STUDY.replace(old, new, 1)})


def _server(name: str, server: str, code: int, *words: str) -> Row:
    return row(f"run-server-{name}", f"run b.toml --server '{server}'", code, *words, files=GOOD)


POOL = 'innodb_buffer_pool_size = "64M"'
_RUNS = [
    _run("not-there", POOL, 'debug_no_sync = "ON"', 4, "default: MariaDB", "variable debug_no_sync: the server has no such variable: it was ignored"),
    _run("log-of-statements", POOL, 'log_bin = "x", binlog_format = "STATEMENT", transaction_isolation = "READ-COMMITTED"', 2, "InnoDB refuses every write (error 1665)", 'binlog_format to "ROW"'),
    _server("flavour", "oracle", 2, "b.toml:5: server.use = 'oracle': no such server", "known: mariadb, percona, mysql"),
    _server("near", "mariadbd", 2, "no such server; nearest is 'mariadb'"),
    _server("empty", "", 2, "server.use: is empty"),
    row("run-server-applies", "run b.toml --server mysql@5.5", 2, "b.toml:5: server.use = 'mysql@5.5': the study does not apply to MySQL 5.5, only to mysql >= 5.6 and mariadb: no ALGORITHM", "mysql@5.6.24", files={"b.toml": STUDY.replace('use = "mariadb"', 'use = "mariadb"\napplies = ["mysql >= 5.6", "mariadb"]\nreason = "no ALGORITHM"')}),
    row("plan-server-applies", "plan b.toml --server mysql@5.5", 2, "the study does not apply to MySQL 5.5", files={"b.toml": STUDY.replace('use = "mariadb"', 'use = "mariadb"\napplies = ["mysql >= 5.6", "mariadb"]')}),
    _run("applies", 'use = "mariadb"', 'use = "mariadb"\napplies = ["mysql"]', 2, "b.toml:5: server.use = 'mariadb': the study does not apply to MariaDB", "only to mysql"),
    _server("version", "mysql@x", 2, "'x' is not a version", "mysql@8"),
    _server("not-here", "mysql@4.0", 6, "no MySQL 4.0 server on this machine"),
    _server("path", "path:/nope", 6, "path:/nope: contains no server binary"),
    _server("path-relative", "path:nope", 6, "path:nope: contains no server binary"),
    _server("dsn", "dsn:foo", 2, "'dsn:foo' is not a server address", "dsn:mysql://user@host:3306/database"),
    _server("dsn-postgres", "dsn:postgres://u@h/db", 2, "is not a server address", "dsn:mysql://"),
    _server("dsn-password", "dsn:mysql://u:pw@h/db", 2, "must not contain a password", "$ASSAY_PASSWORD"),
    _server("dsn-nobody", "dsn:mysql://u@127.0.0.1:1/db", 3, "u@127.0.0.1:1"),
    _server("dsn-socket", "dsn:mysql://u@localhost/db?socket=/nope.sock", 3, "/nope.sock"),
    _run("variable-unknown", POOL, "innodb_bufer_pool_size = 1", 4, "innodb_bufer_pool_size: no such variable", "nearest: innodb_buffer_pool_size"),
    _run("variable-word", POOL, 'innodb_buffer_pool_size = "lots"', 4, "innodb_buffer_pool_size", "write a number"),
    _run("variable-large", POOL, 'innodb_buffer_pool_size = "900G"', 6, "innodb_buffer_pool_size = 900G is more than this machine has"),
    _run("variable-small", POOL, 'innodb_buffer_pool_size = "1M"', 4, "write the nearest accepted value: innodb_buffer_pool_size ="),
    _run("variable-unit", POOL, 'innodb_buffer_pool_size = "2GB"', 2, 'b.toml:6', 'did you mean "2G"?'),
    _run("variable-lab", POOL, 'socket = "/x"', 2, "socket: is set by the lab itself"),
    _run("connections", POOL, "max_connections = 5", 2, "b.toml:6: server.variables.max_connections: 5 is too few for load.threads = 8"),
    _run("statements", POOL, "max_prepared_stmt_count = 10", 2, "max_prepared_stmt_count: 10 is too few for load.threads = 8", 'load.ps_mode = "disable"'),
    _run("threads", "[1, 8]", "[500000]", 4, "for load.threads = 500000"),
    _run("cpus", 'use = "mariadb"', 'use = "mariadb"\ncpus = "0-99"', 6, "server.cpus: processors"),
    _run("data-dir", 'use = "mariadb"', 'use = "mariadb"\ndata_dir = "/nope"', 6, "server.data_dir: there is no directory /nope"),
    _run("engine", "[load]", '[schema]\nengine = "rocksdb"\n\n[load]', 4, 'has no storage engine "rocksdb"'),
    _run("engine-forgets", "[load]", '[schema]\nengine = "heap"\n\n[load]', 2, 'schema.engine: the engine "heap" cannot hold a dataset', "choose InnoDB"),
    _run("engine-keeps-nothing", POOL, 'default_storage_engine = "BLACKHOLE"', 2, 'server.variables.default_storage_engine: the engine "BLACKHOLE" cannot hold a dataset: it keeps no rows'),
    _run("engine-default", POOL, 'default_storage_engine = "INODB"', 4, 'has no storage engine "INODB"', "it has InnoDB"),
    _run("account", POOL, "max_user_connections = 5", 2, "b.toml:6: server.variables.max_user_connections: 5 is too few for load.threads = 8"),
    _run("rows", "tables = 2", "table_size = 99_000_000_000", 6, "no room for the datasets of this study"),
    _run("dynamic", 'use = "mariadb"', 'use = "mariadb"\ndynamic = { innodb_io_capasity = 1 }', 4, "innodb_io_capasity: no such variable"),
    _run("option", "tables = 2", "tabels = 2", 2, "b.toml:10: workload.tabels", 'did you mean "tables"?'),
    _run("workload", "oltp_read_write", "oltp", 2, "b.toml:9: workload.use", 'no workload is called "oltp"'),
    row("run-server-factor", "run b.toml --server mysql", 2, "b.toml:", '"server.use" is a factor of this study', files={"b.toml": STUDY.replace('use = "mariadb"\n', "") + '[[factor]]\nname = "server.use"\nlevels = ["mariadb", "mysql"]\n'}),
    row("run-budget", "run b.toml", 2, "ASSAY_DATASET_BUDGET: 'lots' is not a size", files=GOOD, env={"ASSAY_DATASET_BUDGET": "lots"}),
]  # fmt: skip

_SCRIPT = {
    "s.lua": "sysbench.cmdline.options = {jobs = {'Jobs', 10}}\nfunction event() end\n",
    "w.lua": "local one\none = = 1\n",
}


def _script(name: str, workload: str, *words: str) -> Row:
    text = STUDY.replace('use = "oltp_read_write"\ntables = 2', workload)
    return row(f"script-{name}", "plan b.toml", 2, *words, files={"b.toml": text, **_SCRIPT})


_SCRIPTS = [
    _script(
        "missing",
        'use = "lua:none.lua"',
        'b.toml:9: workload.use: "lua:none.lua": none.lua: cannot be read: No such file',
    ),
    _script(
        "not-bundled",
        'use = "lua:oltp_writes"',
        "b.toml:9: workload.use: no script oltp_writes comes with the engine",
        "oltp_write_only",
    ),
    _script(
        "option",
        'use = "lua:s.lua"\njob = 3',
        'b.toml:10: workload.job: lua:s.lua has no such option; did you mean "jobs"?',
        "assay sysbench s.lua help",
    ),
    _script("value", 'use = "lua:s.lua"\njobs = "many"', 'b.toml:10: workload.jobs: "many" is not a number'),
    _script(
        "threads",
        'use = "lua:s.lua"\nthreads = 3',
        "b.toml:10: workload.threads: is not an option of a workload; it belongs in [load]",
    ),
    _script("syntax", 'use = "lua:w.lua"', "b.toml:9: workload.use: w.lua:2: unexpected symbol near '='"),
]

ROWS: list[Row] = [*_FILES, *_VERBS, *_RUNS, *_SCRIPTS]
