"""Checks a file of statements on the data that it is for: plans, rows, times, and how often its values find
something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.decoding import whole_number
from assay.base.errors import InputError, ServerError
from assay.base.wording import counted
from assay.design.plan import OwnData, Script
from assay.design.study import Scalar, texts_of
from assay.experiments.bench import Bench, own_servers
from assay.experiments.own.binding import bindings
from assay.experiments.own.named_tables import named_tables, tables_in
from assay.experiments.own.reading import statements_of_texts
from assay.experiments.own.rehearsal import Tried, rehearsed
from assay.experiments.own.schema import Tables, skipped_if_broken, tables_of_server
from assay.experiments.own.statements import Shape, values_by_slot
from assay.system.engine import jobs, script_listing
from assay.system.server import HAS_ROWS, Address, explained, parse_dsn, quoted_name

if TYPE_CHECKING:
    from assay.base.format.job import Job
    from assay.experiments.bench import ServerProgress
    from assay.system.server import Connection

MISSES = 0.2
"""Share of executions without a row above which the values of a statement are probably invented."""
HUGE_BYTES = 1_000_000
SCAN_ROWS = 1000
"""Rows from which on reading a whole table is worth a warning."""
_COUNTED_BYTES = 1 << 30
TINY_POOL = 0.01
"""Share of a table below which a load that reads nothing else is a test of caches."""
_OVERFLOW = {1264: "out of range", 1406: "too long", 1366: "of a wrong type", 1292: "of a wrong form"}
_EXPLAINED = ("SELECT", "WITH", "UPDATE", "DELETE", "(SELECT")


@dataclass(frozen=True)
class Finding:
    """What is wrong with a statement: its kind, and a sentence."""

    kind: str
    message: str


@dataclass(frozen=True)
class CheckedStatement:
    """A statement with what the server said of it. `types` are the columns that its parameters meet, with
    their types, `?` where none is known; `plan` has the tables with how each is reached; `unsized` are tables
    whose rows the server does not tell.
    """

    tried: Tried
    types: tuple[str, ...]
    plan: tuple[str, ...]
    unsized: tuple[str, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Checked:
    """A file of statements on one server. `wrote`: whether statements that write were sent."""

    file: str
    server: str
    wrote: bool
    statements: tuple[CheckedStatement, ...]

    @property
    def refused(self) -> bool:
        """Whether the server refuses a statement."""
        return any(one.kind == "refused" for each in self.statements for one in each.findings)

    @property
    def findings(self) -> int:
        return sum(len(each.findings) for each in self.statements)

    @property
    def unsized(self) -> list[str]:
        """Tables whose rows the server does not tell, of all statements."""
        return sorted({name for each in self.statements for name in each.unsized})


def check(
    file: Path,
    options: Mapping[str, Any],
    *,
    server: str | None,
    dsn: str | None,
    progress: ServerProgress,
    data: OwnData | None = None,
    variables: Mapping[str, Scalar] | None = None,
) -> Checked:
    """Tries the statements of a file on a private server with its data, those of `data` or else of its own
    `@data`, or on a running one, which is only read. `variables` are those of the private server.

    Raises InputError for a file that is wrong, with its place, and the errors of the server.
    """
    use = f"sql:{file.name}"
    texts, problems = texts_of([use], file.resolve().parent)
    if problems:
        raise InputError(problems[0])
    script = Script(texts.get(use), {name: text for name, text in texts.items() if name != use}, threads=1)
    listing = script_listing(use, script)
    if dsn is None and data is None and not listing["prepares"]:
        raise InputError(
            f"{file}: names no file that makes its tables",
            hint="give --data DUMP, write -- @data FILE.sql in it, or give --dsn of a server that has them",
        )
    bench = _bench(use, script, options)
    with _server(bench, server, dsn, progress, data, variables or {}) as (job, address, name):
        progress.step("trying the statements")
        tried = rehearsed(job, writes=dsn is None, env=address.environment(), tell=progress.step)
        progress.step("asking for plans")
        with closing(address.connect()) as connection:
            connection.select_db(address.database or "")
            tables = tables_of_server(connection, address.database or "")
            sizes = _sizes(connection, address.database or "", counted=dsn is None)
            statements = tuple(_checked(tried, connection, tables, sizes))
    return Checked(str(file), name, dsn is None, statements)


def _bench(use: str, script: Script, options: Mapping[str, Any]) -> Bench:
    return Bench(
        workload=use,
        action="run",
        options=dict(options),
        password=None,
        socket=None,
        host="127.0.0.1",
        port=3306,
        user="root",
        db="",
        threads=1,
        time=1,
        events=0,
        reconnect=0,
        warmup=0,
        rate=0,
        arrivals="constant",
        ps_mode="auto",
        seed=1,
        report_interval=1,
        engine_threads=1,
        on_error="count",
        resume=False,
        ssl_mode=None,
        ssl_ca=None,
        ssl_cert=None,
        ssl_key=None,
        server_public_key=None,
        get_server_public_key=False,
        script=script,
    )


@contextmanager
def _server(
    bench: Bench,
    server: str | None,
    dsn: str | None,
    progress: ServerProgress,
    data: OwnData | None,
    variables: Mapping[str, Scalar],
) -> Iterator[tuple[Job, Address, str]]:
    """Yields a job of the bench on a server, the server's address, and what it is called."""
    if dsn is None:
        use = server or "mariadb"
        with own_servers(bench, use, variables, progress, data) as start, start() as ready:
            assert ready.socket is not None
            yield ready.job(), Address(ready.user, socket=Path(ready.socket), database=ready.db), use
        return
    address = parse_dsn(dsn)
    if address.database is None:
        raise InputError(
            f"{dsn}: names no database", hint="write it at the end, as dsn:mysql://user@host/shop"
        )
    job = jobs.job(
        "run",
        target=jobs.target(address),
        workload=bench.workload,
        options=bench.options,
        seed=bench.seed,
        load=jobs.closed_loop(1),
        phases=bench.job().phases,
        script=bench.script,
    )
    yield job, address, str(address)


def _sizes(connection: Connection, database: str, *, counted: bool) -> dict[str, int | None]:
    """Returns the rows of each table, as the server estimates them, or `counted` where that takes seconds: of
    tables that were just loaded the estimate may be 0. None: the server does not tell.
    """
    rows = connection.rows(
        "SELECT table_name, table_rows, data_length FROM information_schema.tables"
        f" WHERE table_schema = %s AND {HAS_ROWS}",
        [database],
        columns=3,
    )
    sizes = {str(name): None if count is None else int(count) for name, count, _ in rows}
    for name, _, length in rows if counted else ():
        if length is None or int(length) <= _COUNTED_BYTES:
            with skipped_if_broken():
                counted_rows = connection.rows(f"SELECT COUNT(*) FROM {quoted_name(str(name))}")
                sizes[str(name)] = int(counted_rows[0][0])
    return sizes


def _checked(
    tried: list[Tried], connection: Connection, tables: Tables, sizes: Mapping[str, int | None]
) -> Iterator[CheckedStatement]:
    known: dict[int, Shape] = {}
    shapes: dict[int, Shape] = {}
    drawn: dict[int, list[bool]] = {}  # whether each value of a statement is a parameter
    for one in statements_of_texts([each.sql for each in tried]):
        if one.shape is not None:
            if one.parts is not None:
                known[one.shape] = Shape(one.shape, one.parts)
            shapes[one.line - 1] = known[one.shape]
            values = values_by_slot(known[one.shape], one.values, one.counts)
            drawn[one.line - 1] = [("unknown", "") in several for several in values]
    for number, each in enumerate(tried):
        shape = shapes.get(number)
        plan = _plan(each, connection)
        yield CheckedStatement(
            each,
            () if shape is None else tuple(_types(shape, drawn[number], tables)),
            tuple(text for text, _ in plan),
            () if shape is None else tuple(_unsized(shape, sizes)),
            tuple(_findings(each, shape, plan, sizes, draws=any(drawn.get(number, ())))),
        )


def _unsized(shape: Shape, sizes: Mapping[str, int | None]) -> Iterator[str]:
    for name in dict.fromkeys(name for _, name in tables_in(shape)):
        if sizes.get(name, 0) is None:
            yield name


def _types(shape: Shape, drawn: list[bool], tables: Tables) -> Iterator[str]:
    for bound, is_parameter in zip(bindings(shape, tables), drawn, strict=True):
        if not is_parameter:
            continue
        table = tables.get(bound.table) if bound.table else None
        column = table.column(bound.column) if table is not None and bound.column else None
        if table is None or column is None:
            yield "int" if bound.role == "limit" else "?"
        else:
            inside = f"({','.join(column.arguments)})" if column.arguments else ""
            yield f"{table.name}.{column.name} {column.type}{inside}{' unsigned' if column.unsigned else ''}"


def _plan(each: Tried, connection: Connection) -> list[tuple[str, Mapping[str, str | None]]]:
    """Returns each step of a statement's plan in words, with the server's own; empty where it has none."""
    if not each.texts or not each.sql.upper().startswith(_EXPLAINED):
        return []
    try:
        rows = explained(connection, each.texts[0])
    except ServerError as error:
        return [(f"not known: {error.message}", {})]
    return [(_step(row), row) for row in rows if row.get("table") or row.get("extra")]


def _step(row: Mapping[str, str | None]) -> str:
    access = row.get("type") or (row.get("extra") or "")
    key = f" {row['key']}" if row.get("key") else ""
    count = whole_number(row.get("rows") or "")
    rows = "" if count is None else f" ~{count:,}"
    return f"{row.get('table') or '-'}: {access}{key}{rows}"


def _findings(
    each: Tried,
    shape: Shape | None,
    plan: list[tuple[str, Mapping[str, str | None]]],
    sizes: Mapping[str, int | None],
    *,
    draws: bool,
) -> Iterator[Finding]:
    if each.refused is not None:
        yield Finding("refused", f"the server refuses it: {each.refused}")
        return
    said: dict[int, Counter[str]] = {}  # messages have values in them
    for (code, message), count in each.errors.items():
        said.setdefault(code, Counter())[message] += count
    failed = sum(each.errors.values())
    for code, messages in sorted(said.items(), key=lambda item: -item[1].total()):
        count, message = messages.total(), messages.most_common(1)[0][0]
        share = f"{count:,} of {counted(each.executions, 'execution', 'executions')}"
        if code in _OVERFLOW:
            yield Finding("overflow", f"a value is {_OVERFLOW[code]}, in {share}: {message}")
        else:
            kind = "refused" if failed == each.executions else "errors"
            yield Finding(kind, f"fails in {share}: {message}")
    if each.executions == 0 and each.unsent == 0:
        yield Finding("unseen", "was never sent: its transaction has too small a weight, or ended before it")
    if each.hit_rate is not None and 1 - each.hit_rate > MISSES:
        misses = each.lookups - each.hits
        yield Finding(
            "misses", f"finds no row in {misses:,} of {counted(each.lookups, 'execution', 'executions')}"
        )
    if each.executions and each.bytes / each.executions > HUGE_BYTES:
        size = each.bytes / each.executions / 1e6
        yield Finding("huge-result", f"its result has {size:.1f} MB")
    reached = each.rows / each.executions if each.executions else 0.0
    named = {} if shape is None else {alias or name: name for _, name, alias in named_tables(shape.parts)}
    for text, row in plan:
        rows = whole_number(row.get("rows") or "") or 0
        if row.get("type") == "ALL":
            rows = max(rows, sizes.get(named.get(row.get("table") or "", row.get("table") or "")) or 0)
            if rows >= SCAN_ROWS:
                yield Finding("full-scan", f"reads a whole table of about {rows:,} rows: {text}")
        reached = max(reached, rows)
    if shape is not None and draws:
        yield from _tiny_pool(each, shape, reached, sizes)


def _tiny_pool(
    each: Tried, shape: Shape, reached: float, sizes: Mapping[str, int | None]
) -> Iterator[Finding]:
    """Yields a finding where all that a statement can read, `reached` rows an execution, is a small part of
    its largest table.
    """
    saturated = each.drawn >= 1000 and each.different < each.drawn / 4
    if not saturated or not each.executions or not shape.slots or shape.verb in ("INSERT", "REPLACE"):
        return
    known = [rows for _, name in tables_in(shape) if (rows := sizes.get(name)) is not None]
    largest = max(known, default=0)
    if largest >= SCAN_ROWS and each.different * max(reached, 1.0) < TINY_POOL * largest:
        values = counted(each.different, "set of values", "sets of values")
        yield Finding("tiny-pool", f"has {values} for a table of about {largest:,} rows: a test of caches")
