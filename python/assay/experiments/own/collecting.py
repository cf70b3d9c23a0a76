"""Collects the statements of a source, whose content says what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from assay.base.errors import InputError
from assay.experiments.own import digest_table
from assay.experiments.own.audit_log import audit_log_of
from assay.experiments.own.audit_records import audit_records_of
from assay.experiments.own.binary_log import FORM as BINARY_LOG
from assay.experiments.own.binary_log import ROWS, is_binary_log, rows_changed
from assay.experiments.own.digest_report import report_of
from assay.experiments.own.digest_table import digests_of
from assay.experiments.own.dumpslow import dumpslow_of
from assay.experiments.own.enclosed import enclosed_text
from assay.experiments.own.exports import export_of
from assay.experiments.own.foreign import refuse_program, refuse_rows, refuse_table, refuse_text
from assay.experiments.own.inserted import inserted_rows
from assay.experiments.own.log_table import COLUMNS, log_table_of
from assay.experiments.own.named_tables import tables_in
from assay.experiments.own.one_a_line import statements_in_lines
from assay.experiments.own.query_folder import others_in, statements_in_folder
from assay.experiments.own.reading import Digest, statements_of, statements_of_texts
from assay.experiments.own.source import SchemaTexts, Source, table_in
from assay.experiments.own.statements import ReadStatement, Shape
from assay.experiments.own.units import Collector
from assay.experiments.own.whole_file import WholeFile
from assay.system.server import parse_dsn

_TOLD_EVERY = 20_000
_LOG_HEAD = re.compile(
    r"^.*, Version: .* started with:\s*^T[Cc][Pp] [Pp]ort: .*\s*^Time\s+Id\s+Command\s+Argument", re.M
)
"""What a server writes into its logs whenever it starts."""
_READS_OF_SERVER = (
    "SELECT schema_name, {text}, count_star, sum_timer_wait"
    " FROM performance_schema.events_statements_summary_by_digest"
    " WHERE count_star > 0 ORDER BY sum_timer_wait DESC"
)

_SAMPLE_OR_DIGEST = (
    "IF(query_sample_text IS NULL OR query_sample_text LIKE '%...', digest_text, query_sample_text)"
)
"""The sample, unless the server has cut it."""


def collected(source: Source, collector: Collector, texts: SchemaTexts, tell: Callable[[int], None]) -> str:
    """Has the collector take all statements, and the tables those that the source makes; returns its form."""
    if source.origin.startswith("dsn:"):
        _take_digests(collector, _digests_of_server(source.origin))
        return "table of digests"
    folder = Path(source.origin)
    if folder.is_dir():
        given = statements_in_folder(folder)
        _collected_text(WholeFile(folder), source, collector, texts, tell, given)
        if others := others_in(folder):
            collector.left_out["files that do not end with .sql, and folders"] += others
        return "folder of files of statements"
    return _collected(WholeFile(folder), source, collector, texts, tell)


def _collected(
    file: WholeFile, source: Source, collector: Collector, texts: SchemaTexts, tell: Callable[[int], None]
) -> str:
    refuse_program(file)
    if file.is_short and file.head.strip() and not _LOG_HEAD.sub("", file.head).strip():
        raise InputError(
            f"{file.path}: is the log of a server that has logged no statement yet",
            hint="long_query_time = 0 fills a slow log, general_log = ON a general log",
        )
    if (digests := report_of(file)) is not None:
        _take_digests(collector, digests)
        return "report of pt-query-digest"
    if (digests := dumpslow_of(file)) is not None:
        _take_digests(collector, digests)
        collector.form("summary of a slow log")
        return "summary of mysqldumpslow"
    export = inserted_rows(file, (*COLUMNS, *digest_table.COLUMNS)) or export_of(file)
    if export is not None and (digests := digests_of(export)) is not None:
        _take_digests(collector, digests)
        collector.left_out.update(export.left_out)
        return "export of digests"
    table = None if export is None else log_table_of(export)
    if (table := table or audit_records_of(file, export) or audit_log_of(file)) is not None:
        collector.form(table[0])
        for one in table[1]:
            collector.take(one)
        collector.left_out.update(export.left_out if export is not None else {})
        return table[0]
    with enclosed_text(file, export) as enclosed:
        if enclosed is not None:
            collector.left_out.update(enclosed.left_out)
            collector.left_out.update(export.left_out if export is not None else {})
            return _collected(enclosed.file, source, collector, texts, tell)
    if export is not None:
        refuse_table(export)
    return _collected_text(file, source, collector, texts, tell)


def _collected_text(
    file: WholeFile,
    source: Source,
    collector: Collector,
    texts: SchemaTexts,
    tell: Callable[[int], None],
    given: Iterator[ReadStatement] | None = None,
) -> str:
    """Has the collector take the statements of a text, or those that are `given`; returns its form."""
    in_lines = statements_in_lines(file) if given is None else given
    form = ""
    is_binary = given is None and is_binary_log(file)
    filled: set[str] = set()  # tables that the source itself makes
    for number, one in enumerate(in_lines or statements_of(file.source)):
        if one.form is not None:
            form = BINARY_LOG if is_binary else one.form
            collector.form(form)
            if form == "statements" and given is None:
                refuse_text(file)
        if one.instead == "schema":
            first = (one.parts or ())[0]
            # What an application has dropped in the time of a log is no table less.
            if form != "statements" and first.is_word("DROP", "RENAME"):
                collector.left_out[first.text.upper()] += 1
            else:
                texts.add(one)
            if form == "statements" and (table := table_in(one)) is not None:
                filled.add(table.name.lower())
                collector.makers.add((one.name, (one.database or "").lower()))
            collector.take(one)  # it ends the session's transaction
        elif form == "statements" and (part := _of_dump(one, collector, filled)) is not None:
            verb, name = part
            if verb == "DELETE":
                collector.left_out["DELETE of all rows of a table that the file makes"] += 1
            else:
                collector.with_rows.add(name)
                collector.left_out["rows of tables that the file makes"] += 1
        else:
            collector.take(one)
        if number % _TOLD_EVERY == _TOLD_EVERY - 1:
            tell(number + 1)
    if is_binary:
        rows = rows_changed(file)
        if not collector.units:
            refuse_rows(file, rows)
        collector.left_out.update({ROWS: rows} if rows else {})
    if filled:
        collector.leave_out_without_tables()
    # What was taken out of another text, as what a client shows, is no file that a server takes.
    collector.can_be_loaded = form == "statements" and (given is not None or file.source == file.path)
    if in_lines is not None:
        return "file of statements, one in a line"
    return {"statements": "file of statements"}.get(form, form)


def _of_dump(one: ReadStatement, collector: Collector, made: set[str]) -> tuple[str, str] | None:
    """Returns the verb and the table, in small letters, of a statement that fills or empties one which the
    file has made before: such statements are those of a dump, and no load. None for any other statement.
    """
    if one.shape is None:
        return None
    if one.parts is not None:
        collector.shapes[one.shape] = Shape(one.shape, one.parts)
    shape = collector.shapes[one.shape]
    empties = shape.verb == "DELETE" and not {"WHERE", "LIMIT"} & set(shape.words)
    if shape.verb not in ("INSERT", "REPLACE") and not empties:
        return None
    names = (name.lower() for _, name in tables_in(shape))
    return next(((shape.verb, name) for name in names if name in made), None)


def _take_digests(collector: Collector, digests: Sequence[Digest]) -> None:
    collector.form("log")  # who sent what between which BEGIN and COMMIT is not known
    named = [(digest.text, digest) for digest in digests if digest.text is not None]
    if without := sum(digest.count for digest in digests if digest.text is None):
        collector.left_out["without a text: the source counts more kinds than it shows"] += without
    for one in statements_of_texts([text for text, _ in named]):
        digest = named[one.line - 1][1]
        given = {"database": digest.database, "seconds": digest.seconds}
        collector.take(
            ReadStatement(**{name: getattr(one, name) for name in one.__struct_fields__} | given),
            digest.count,
        )


def _digests_of_server(dsn: str) -> list[Digest]:
    from assay.base.errors import ServerError

    with closing(parse_dsn(dsn).connect()) as connection:
        try:
            rows = connection.rows(
                _READS_OF_SERVER.format(text=_SAMPLE_OR_DIGEST),
                columns=4,
            )
        except ServerError as error:
            if error.code != 1054:  # MySQL before 8.0 and MariaDB keep no sample
                raise
            rows = connection.rows(_READS_OF_SERVER.format(text="digest_text"), columns=4)
    if not rows:
        raise InputError(
            f"{dsn}: performance_schema has no digests",
            hint="start the server with performance_schema = ON, or give a log",
        )
    return [
        Digest(
            None if text is None else str(text),
            None if database is None else str(database),
            int(count),
            int(picoseconds) / 1e12,
        )
        for database, text, count, picoseconds in rows
    ]
