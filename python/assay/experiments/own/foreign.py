"""Names files of which no statement can be read, though they look as if they had some, and says what to give
instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from assay.base.errors import InputError
from assay.experiments.own.exports import Export
from assay.experiments.own.whole_file import WholeFile

_VERB = (
    r"(?:\x1b\[[\d;]*m)*(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|BEGIN|COMMIT|ROLLBACK|TRANSACTION|WITH|SHOW)\b"
)
_APPLICATIONS: Mapping[str, str] = {
    "Hibernate": r"^Hibernate: |\borg\.hibernate\.(?:SQL|type)\b",
    "MyBatis": r"==>\s+(?:Preparing|Parameters): ",
    "Django": rf"\bdjango\.db\.backends\b|^\(\d+\.\d+\) {_VERB}.*; args=",
    "Rails": rf"^.{{0,120}}\(\d+(?:\.\d+)?ms\)(?:\x1b\[[\d;]*m)*\s+{_VERB}",
    "Laravel or Monolog": r"^\[\d{4}-\d\d-\d\d[T ][\d:.+-]+\] [\w-]+\.(?:DEBUG|INFO|NOTICE|WARNING|ERROR)\b",
    "Sequelize": r"^.{0,60}Executing \([\w-]+\): ",
    "SQLAlchemy": r"\bsqlalchemy\.engine\b",
    "TypeORM or Prisma": r"^(?:query: |prisma:query )",
    "GORM": r"\[\d+\.\d+ms\] .{0,40}\[rows:-?\d+\]",
    "P6Spy": r"\|(?:statement|commit|batch)\|connection \d+\|",
    "Entity Framework": r"\bExecuted DbCommand \(",
}
_STAMP = r"(?:\d{4}-\d\d-\d\d[T ]|\d{6} +)\d\d?:\d\d:\d\d\S*"
_SERVER_LOG = "log of the server (general_log = ON, or slow_query_log with long_query_time = 0)"
_MARKS: Sequence[tuple[re.Pattern[str], str, str]] = (
    *(
        (re.compile(mark, re.M), f"is a log of an application ({name})", f"give a {_SERVER_LOG}")
        for name, mark in _APPLICATIONS.items()
    ),
    (
        re.compile(rf"^{_STAMP}\s+(?:\d+ +)?\[(?:System|Note|Warning|ERROR)\]", re.M),
        "is the error log of a server",
        "give its slow log or its general log: SELECT @@slow_query_log_file, @@general_log_file",
    ),
    (
        re.compile(r"\A\s*mysql\s+Ver .*\n", re.M),
        "is what a client prints about itself, and no dump",
        "dump again, and look at what mysqldump prints",
    ),
    (
        re.compile(r"\b(?:LOG|DETAIL|STATEMENT):  (?:statement|duration|execute|parameters)\b"),
        "is a log of PostgreSQL",
        "give a log of a MySQL or MariaDB server",
    ),
    (
        re.compile(r"^# Rank +Query ID +Response time", re.M),
        "is the profile of a report of pt-query-digest, which has no statement",
        "give the whole report (--report-format has query_report in it), or the log",
    ),
    (
        re.compile(rf"^(?:{_STAMP}|\d\d:\d\d:\d\d\.\d+) .*\bIP6? \S+ > \S+: ", re.M),
        "is packets as tcpdump prints them",
        "make a slow log of it (pt-query-digest --type tcpdump --no-report --output slowlog), or give a"
        f" {_SERVER_LOG}",
    ),
    (
        re.compile(r"^(?:statement (?:ok|error|count)\b|query [A-Z]+\b.*\n(?:.*\n)*?----\r?$)", re.M),
        "is a test of sqllogictest",
        "write its statements alone, each with a semicolon at its end",
    ),
    (
        re.compile(
            r"^(?:-- ?(?:source \S+\.(?:inc|test)\b|error (?:ER_|\d)|(?:dis|en)able_\w+$|let \$|connect ?\(|"
            r"sorted_result$|replace_\w+ )|source include/|let \$\w+ *=|connection \w+;)",
            re.M,
        ),
        "is a test of mysql-test-run, with commands of its own",
        f"run it, and give a {_SERVER_LOG} of that time",
    ),
    (
        re.compile(
            r"\{\{-?\s*(?:ref|source|config|var)\s*\(|"
            r"\{%-?\s+(?:set|if|for|macro|endif|endfor|endmacro|call|materialization)\b"
        ),
        "is a template (Jinja, as dbt has)",
        "give what becomes of it: dbt compile writes that below target/compiled",
    ),
    (
        re.compile(r"^\s*define +\w+ *=.*;", re.M | re.I),
        "is a template of dsqgen (TPC-DS)",
        "fill it first: dsqgen -template, and give the queries that it prints",
    ),
    # SQL begins with a word.
    (
        re.compile(rf"\A\s*\[?{_STAMP}"),
        "is a log, but none of a MySQL or MariaDB server",
        f"give a {_SERVER_LOG}",
    ),
)
_AS_BYTES = re.compile(r"^BINLOG '", re.M)
_LUA, _TCL = "a script of sysbench", "a script of Tcl, as HammerDB has"
_PROGRAMS: Mapping[str, str] = {
    ".lua": _LUA,
    ".tcl": _TCL,
    ".jmx": "a test plan of JMeter",
    **dict.fromkeys((".js", ".mjs", ".ts"), "a program in JavaScript, as k6 has"),
    **dict.fromkeys(
        (".py", ".rb", ".php", ".java", ".go", ".sh", ".bash", ".ps1", ".pl", ".cs", ".kt", ".rs"),
        "a program",
    ),
}
"""What is run, by the ending of its name."""
_LETTERS = 1 << 16  # in which a log says what it is: of a whole MiB, all marks take a second
_TABLES: Sequence[tuple[tuple[str, ...], str]] = (
    (("ID", "USER", "HOST", "COMMAND", "TIME", "STATE", "INFO"), "a list of processes"),
    (("SELECT_TYPE", "POSSIBLE_KEYS", "ROWS"), "a plan (EXPLAIN)"),
    (("VARIABLE_NAME", "VALUE"), "a list of variables"),
)
_TABLE_HINT = (
    "export performance_schema.events_statements_summary_by_digest with DIGEST_TEXT, COUNT_STAR and"
    f" SUM_TIMER_WAIT, or give a {_SERVER_LOG}"
)


def refuse_table(export: Export) -> None:
    """Raises InputError for an export that says nothing of how often a statement was sent."""
    for names, what in _TABLES:
        if export.has(*names):
            raise InputError(
                f"{export.file.path}: is {what}, which does not say how often each statement was sent",
                hint=_TABLE_HINT,
            )
    if export.is_plain:
        raise InputError(f"{export.file.path}: is a table without statements", hint=_TABLE_HINT)
    if export.is_json:
        raise InputError(f"{export.file.path}: is JSON without statements of a server", hint=_TABLE_HINT)


def refuse_rows(file: WholeFile, rows: int) -> None:
    """Raises InputError for a text of mysqlbinlog without a statement, where it has rows in place of them."""
    if rows or _AS_BYTES.search(file.head):
        raise InputError(
            f"{file.path}: is a binary log of rows, which has no statements", hint=f"give a {_SERVER_LOG}"
        )


def refuse_program(file: WholeFile) -> None:
    """Raises InputError for a file that a program or a tool runs, as its name says."""
    what = _PROGRAMS.get(file.path.suffix.lower())
    if what is None:
        return
    if what == _LUA:
        raise InputError(
            f"{file.path}: is {what}, which is a workload as it is",
            hint=f'write [workload] use = "{file.path.name}"',
        )
    hint = f"run it, and give a {_SERVER_LOG} of that time"
    if what == _TCL:
        hint = f"HammerDB's TPROC-C is derived from TPC-C, which is in assay bench --help; else {hint}"
    raise InputError(f"{file.path}: is {what}, and no file of statements", hint=hint)


def refuse_text(file: WholeFile) -> None:
    """Raises InputError for a text that no server has written and nobody can send."""
    for mark, what, hint in _MARKS:
        if mark.search(file.head[:_LETTERS]):
            raise InputError(f"{file.path}: {what}", hint=hint)
