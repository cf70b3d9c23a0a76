"""Makes the first file of statements, `sql:FILE`, of what a person has: a log, queries, digests, tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.base.errors import InputError
from assay.base.printable import line
from assay.base.wording import counted
from assay.design.plan import Script
from assay.experiments.own.collecting import collected
from assay.experiments.own.data_file import DataFile, about_data, data_file, without_rows
from assay.experiments.own.drawing import DrawnUnit, drawn
from assay.experiments.own.from_tables import blocks_of_tables
from assay.experiments.own.named_tables import tables_in
from assay.experiments.own.naming import plain, unused
from assay.experiments.own.pgbench import converted
from assay.experiments.own.query_folder import files_called
from assay.experiments.own.schema import Tables
from assay.experiments.own.source import SchemaTexts, Source, database_of_dsn, filled_by_files, schema_of
from assay.experiments.own.statements import CannotDraw
from assay.experiments.own.unfit import INSTEAD, UNPARTED
from assay.experiments.own.units import Collector, Unit
from assay.experiments.own.whole_file import WholeFile
from assay.experiments.own.writing import FOLDER, Pages, pages
from assay.system.engine import script_listing

LABELS_MOST = 200
UNITS_MOST = 240
_HINT = "give a slow or general log, a file of queries, an export of digests, or tables"
_HINT_OF_LOG = "give more of the log, of hours in which the application is used"
_HINTS = {
    "with :name": "fill the template first, as qgen does for TPC-H: with values in place of :name",
    "with placeholders": "fill the template first: with values in place of what stands for them",
    "in SQL of PostgreSQL (casts by ::)": "write them for MySQL or MariaDB, as CAST(a AS DECIMAL)",
    "in SQL of SQL Server (names in brackets)": "write them for MySQL or MariaDB, with names in backticks",
    UNPARTED: "write a semicolon at the end of each statement",
    "of no known kind": "write a semicolon at the end of each statement, and text that is none after -- ",
    "in a transaction without an end": "write COMMIT or ROLLBACK at the end of the transaction",
}
"""What to do where nothing can be sent, by why it was left out."""
_HINTS_OF_LOG = {
    "in a transaction without an end": "give more of the log: it ends before the transaction does",
}


@dataclass
class FirstFile:
    """A file of statements that was made, and what it was made of.

    `kinds` are units, `executions` of them are in the file, of `all_executions` that could be. `left_out`
    counts statements by why, `rest` units beyond the most costly.
    """

    form: str
    pages: Pages
    statements: int
    sessions: int
    kinds: int
    executions: int
    all_executions: int
    database: str | None
    transactions: int = 0
    rest: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    values: int = 0
    data: DataFile | None = None


def first_file(
    source: Source, output: Path, *, with_values: bool, tell: Callable[[int], None] = lambda count: None
) -> FirstFile:
    """Reads the source and returns the file to write as `output`. `tell` hears how many statements are read.

    Raises InputError for a source that cannot be read, or in which nothing is that a load can send.
    """
    collector = Collector()
    texts = schema_of(source)
    if not source.origin.startswith("dsn:") and not Path(source.origin).is_dir():
        script = _of_script(source, texts, output)
        if script is not None:
            return script
    form = collected(source, collector, texts, tell)
    database, units = collector.end(source.database or database_of_dsn(source))
    tables, unknown = texts.tables(source.database, database)
    tables.have_rows |= bool(collector.with_rows or collector.left_out[INSTEAD["long"]])
    collector.left_out.update(unknown)
    notes: list[str] = []
    if units and source.schema is None and source.dsn is None:
        source = replace(source, schema=_made_in(source, collector, database or tables.database, notes))
    head = [f"Made by assay own init of {_name(source.origin)}, a {form}."]
    if not units and len(tables) and _is_of_itself(source) and not form.endswith("log"):
        return _of_tables(tables, head, collector, form, source, output)
    if not units:
        of_log = _HINTS_OF_LOG if form.endswith("log") else {}
        raise InputError(
            f"{source.origin}: has no statement that a load can send (read as a {form});"
            f" {_nothing_of(collector)}",
            hint=next(
                (hint for why, hint in (_HINTS | of_log).items() if collector.left_out[why]),
                _HINT_OF_LOG if of_log else _HINT,
            ),
        )
    made = _of_units(units, head, collector, tables, database, source, output, with_values=with_values)
    made.form = form
    made.notes += tables.left_out + without_rows(source.schema, tables, made.data)
    made.notes += notes
    if database and tables.database and database.lower() != tables.database.lower():
        made.notes.append(f"the statements are of database {database}, and the tables of {tables.database}")
    return made


def _is_of_itself(source: Source) -> bool:
    """Returns whether the tables are those of the source, and not of what is named beside it."""
    if source.origin.startswith("dsn:") or source.schema is None:
        return source.dsn is None
    return source.schema.samefile(source.origin)


def _made_in(source: Source, collector: Collector, database: str | None, notes: list[str]) -> Path | None:
    """Returns the file that makes and fills the tables of statements beside or within it; None where none
    does alone, which a note says.
    """
    if not (collector.can_be_loaded and collector.with_rows):
        return None
    origin = Path(source.origin)
    if not origin.is_dir():
        return origin
    made = files_called(
        origin, {name for name, of in collector.makers if of in ("", (database or "").lower())}
    )
    if len(made) > 1:
        several = ", ".join(one.name for one in made)
        notes.append(
            f"the tables are made by {several}: put these into a folder of their own, and name it by --schema"
        )
    return made[0] if len(made) == 1 else None


def _of_script(source: Source, texts: SchemaTexts, output: Path) -> FirstFile | None:
    """Returns the file that a script of pgbench becomes; None for any other source."""
    file = WholeFile(Path(source.origin))
    head = [f"Made by assay own init of {_name(source.origin)}, a script of pgbench."]
    if converted(file, head) is None:
        return None
    tables, _ = texts.tables(source.database)
    data = data_file(source.schema, tables, output)
    script = converted(file, head + ([] if data is None else about_data(data)))
    assert script is not None
    script.pages.data = data.name if data is not None and data.is_text else None
    database = source.database or tables.database
    made = FirstFile(
        "script of pgbench", script.pages, script.statements, 0, script.statements, 0, 0, database
    )
    made.notes, made.data = script.remarks, data
    return made


def _name(origin: str) -> str:
    return "a server" if origin.startswith("dsn:") else line(Path(origin).name)


def _of_tables(
    tables: Tables, head: list[str], collector: Collector, form: str, source: Source, output: Path
) -> FirstFile:
    made_by = source.schema or (None if source.origin.startswith("dsn:") else Path(source.origin))
    filled = collector.with_rows
    if made_by is not None and made_by.is_dir():
        filled = filled | filled_by_files(made_by, tables.database)
    tables.have_rows |= bool(filled)
    data = data_file(made_by, tables, output)
    # Where a statement was too long to be read, which table it fills is not known.
    with_rows = None if collector.left_out[INSTEAD["long"]] else filled or None
    blocks, left_out = blocks_of_tables(tables, UNITS_MOST, with_rows)
    head.append(
        "Nothing is known but the tables: reads by key, ten for each new row, are a guess. Change them."
    )
    left_out = tables.left_out + left_out
    head += [f"Left out: {one}." for one in left_out]
    head += [] if data is None else about_data(data)
    text = "\n\n".join(["\n".join(f"-- {one}" for one in head), *blocks]) + "\n"
    if not blocks:
        raise InputError("no table has a key to read by or a column to fill", hint="give a log or queries")
    return FirstFile(
        "schema",
        Pages(text, data=data.name if data is not None and data.is_text else None),
        collector.statements,
        0,
        len(blocks),
        0,
        0,
        tables.database,
        left_out=dict(collector.left_out),
        notes=left_out + without_rows(made_by, tables, data),
        data=data,
    )


def _of_units(
    units: Sequence[Unit],
    head: list[str],
    collector: Collector,
    tables: Tables,
    database: str | None,
    source: Source,
    output: Path,
    *,
    with_values: bool,
) -> FirstFile:
    chosen: list[DrawnUnit] = []
    shapes: set[int] = set()
    rest = 0
    names: set[str] = set()
    totals = (sum(unit.count for unit in units), sum(unit.seconds for unit in units))
    for unit in units:
        more = shapes | {shape.number for shape in unit.shapes}
        if len(more) > LABELS_MOST - 3 or len(chosen) == UNITS_MOST:
            rest += 1
            continue
        name = _unit_name(unit, names)
        try:
            chosen.append(drawn(unit, name, tables, with_values=with_values))
        except CannotDraw as why:
            collector.left_out[str(why)] += unit.count
            continue
        names.add(name)
        shapes = more
    made = _built(
        chosen, head, collector, tables, database, source, output, totals, rest, with_values=with_values
    )
    if chosen and not _is_taken(output.name, made.pages):
        # Whatever a log has, one statement that the engine does not take must not cost all others.
        before = sum(one.unit.count for one in chosen)
        chosen = [
            one for one in chosen if _is_taken(output.name, _alone(one, database, with_values=with_values))
        ]
        refused = before - sum(one.unit.count for one in chosen)
        collector.left_out["that the engine does not take"] += refused
        made = _built(
            chosen, head, collector, tables, database, source, output, totals, rest, with_values=with_values
        )
    if not chosen:
        raise InputError(
            f"{source.origin}: no statement has a source for its values;"
            f" left out: {_summed(collector.left_out)}",
            hint="give --schema or --dsn, so that columns and their types are known"
            + ("" if with_values else ", or leave --no-values out"),
        )
    return made


def _alone(one: DrawnUnit, database: str | None, *, with_values: bool) -> Pages:
    return pages([one], [], "x", totals=(1, 0.0), with_values=with_values, database=database)


def _built(
    chosen: Sequence[DrawnUnit],
    first: Sequence[str],
    collector: Collector,
    tables: Tables,
    database: str | None,
    source: Source,
    output: Path,
    totals: tuple[int, float],
    rest: int,
    *,
    with_values: bool,
) -> FirstFile:
    """Returns the file of these units."""
    executions = sum(one.unit.count for one in chosen)
    head = [
        *first,
        f"{counted(executions, 'execution', 'executions')} of {totals[0]:,}, of"
        f" {counted(len(chosen), 'kind', 'kinds')}, the most costly first. Weights are counts"
        + (f": {collector.lacks}." if collector.lacks else "."),
    ]
    if rest:
        kinds = counted(rest, "kind", "kinds")
        head.append(f"{kinds} more did not fit: a file has {LABELS_MOST} labels at most.")
    if collector.left_out:
        head.append(f"Left out: {_summed(collector.left_out)}.")
    values = sum(len(pool.rows) for one in chosen for pool in one.pools)
    if with_values:
        where = f"The examples, and files in {FOLDER}/," if values else "The examples"
        head.append(f"{where} hold values of the source: keep them as you keep it.")
    data = data_file(source.schema, tables, output)
    head += [f"Not known: {one}." for one in tables.left_out]
    if data is not None:
        head += about_data(data)
    made = pages(chosen, head, plain(output.stem), totals=totals, with_values=with_values, database=database)
    made.data = data.name if data is not None and data.is_text else None
    return FirstFile(
        form="",
        pages=made,
        statements=collector.statements,
        sessions=len(collector.sessions),
        kinds=len(chosen),
        executions=executions,
        all_executions=totals[0],
        database=database,
        transactions=sum(one.unit.is_transaction for one in chosen),
        rest=rest,
        left_out=dict(sorted(collector.left_out.items())),
        values=values,
        data=data,
    )


def _is_taken(name: str, made: Pages) -> bool:
    try:
        check_file(name, made)
    except InputError:
        return False
    return True


def _unit_name(unit: Unit, taken: set[str]) -> str:
    if unit.name is not None:
        return unused(plain(unit.name), set(taken))
    shape = unit.shapes[0]
    if unit.is_transaction:
        shape = next((one for one in unit.shapes if one.verb not in ("SELECT", "WITH")), shape)
    table = next((name for _, name in tables_in(shape)), "")
    first = ["tx"] if unit.is_transaction else []
    words = "_".join([*first, shape.verb.lower(), *([table] if table else [])])
    return unused(plain(words), set(taken))


def _nothing_of(collector: Collector) -> str:
    """Returns why nothing is left of what was read, or that nothing was."""
    if collector.left_out:
        return f"left out: {_summed(collector.left_out)}"
    if collector.statements:
        return f"{counted(collector.statements, 'statement')} begin and end transactions, with none between"
    return "no statement was found in it"


def _summed(left_out: Counter[str]) -> str:
    counts = sorted(left_out.items(), key=lambda one: (-one[1], one[0]))
    return line("; ".join(f"{count:,} {why}" for why, count in counts)) or "nothing"


def check_file(name: str, made: Pages) -> None:
    """Has the engine read a file that was made. Raises InputError where it refuses it."""
    folder = str(Path(name).parent)
    named = made.files | ({} if made.data is None else {made.data: ""})
    files = {file if folder == "." else f"{folder}/{file}": text for file, text in named.items()}
    script_listing(f"sql:{name}", Script(made.text, files, threads=1))
