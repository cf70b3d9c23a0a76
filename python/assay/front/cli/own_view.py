"""Says what was made of a log, and what a check of a file of statements has found. No value of the source is
printed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.wording import counted
from assay.front.terminal import console, figures_table, say

if TYPE_CHECKING:
    from assay.experiments.own import Checked, CheckedStatement, FirstFile


def made_object(made: FirstFile, output: Path) -> dict[str, Any]:
    """Returns what was made, for programs."""
    return {
        "file": str(output),
        "files": sorted(made.pages.files),
        "form": made.form,
        "database": made.database,
        "statements": made.statements,
        "sessions": made.sessions,
        "kinds": made.kinds,
        "transactions": made.transactions,
        "executions": made.executions,
        "all_executions": made.all_executions,
        "rest_kinds": made.rest,
        "left_out": made.left_out,
        "values": made.values,
        "notes": made.notes,
    }


def say_made(made: FirstFile, output: Path) -> None:
    """Prints what was made, and what to do next."""
    sessions = f", {counted(made.sessions, 'session', 'sessions')}" if made.sessions else ""
    database = f", database {made.database}" if made.database else ""
    say(f"read      {made.form}: {counted(made.statements, 'statement', 'statements')}{sessions}{database}")
    if made.all_executions:
        of = f"{made.executions:,} of {counted(made.all_executions, 'execution', 'executions')}"
        rest = f"; {counted(made.rest, 'kind', 'kinds')} more did not fit" if made.rest else ""
        transactions = (
            f", of them {counted(made.transactions, 'transaction', 'transactions')}"
            if made.transactions
            else ""
        )
        say(f"written   {output}: {counted(made.kinds, 'kind', 'kinds')}{transactions}, {of}{rest}")
    else:
        say(f"written   {output}: {counted(made.kinds, 'statement', 'statements')}")
    for why, count in sorted(made.left_out.items(), key=lambda one: (-one[1], one[0])):
        say(f"left out  {count:,} {why}")
    for note in made.notes:
        say(f"note      {note}")
    if made.values:
        files = counted(len(made.pages.files), "file", "files")
        say(
            f"values    {made.values:,} sets of values of the source are in {files} below seen/;"
            " --no-values keeps them out"
        )
    say(f"next      assay own check {output} {_tables_for_check(made)}")


def _tables_for_check(made: FirstFile) -> str:
    """Returns the options by which a check finds the tables."""
    if made.data is None:
        return f"--dsn dsn:mysql://USER@HOST/{made.database or 'DATABASE'}"
    from assay.experiments.own import lack_letters, lacked_by
    from assay.system.server.flavour import stand_in

    server = "mariadb"
    variables = " --var character_set_server=utf8mb4" if lack_letters([server], made.data.letters) else ""
    if made.data.is_text:
        return f"--server {server}{variables}"
    database = f" --database {made.data.database}" if made.data.database else ""
    lacks = lacked_by([server], made.data.letters.collations)
    collations = "".join(f" --collation {name}={stand_in(name)}" for name in lacks)
    return f"--data {made.data.name}{database}{collations}{variables}"


def checked_object(checked: Checked) -> dict[str, Any]:
    """Returns what a check has found, for programs."""
    return {
        "file": checked.file,
        "server": checked.server,
        "wrote": checked.wrote,
        "findings": checked.findings,
        "tables_of_unknown_size": checked.unsized,
        "statements": [_statement_object(one) for one in checked.statements],
    }


def _statement_object(one: CheckedStatement) -> dict[str, Any]:
    tried = one.tried
    return {
        "place": tried.place,
        "label": tried.label,
        "sql": tried.sql,
        "types": list(one.types),
        "plan": list(one.plan),
        "executions": tried.executions,
        "unsent": tried.unsent,
        "median_ms": tried.median_ms,
        "rows": tried.rows / tried.executions if tried.executions else None,
        "result_bytes": tried.bytes / tried.executions if tried.executions else None,
        "lookups": tried.lookups,
        "hit_rate": tried.hit_rate,
        "different_values": tried.different,
        "drawn": tried.drawn,
        "findings": [{"kind": each.kind, "message": each.message} for each in one.findings],
    }


def say_checked(checked: Checked) -> None:
    """Prints the statements of a file with what a server made of each, and what is doubtful."""
    table = figures_table("statement", "sent", "ms", "rows", "hits", "parameters", "plan", left=1)
    for column in table.columns[-2:]:
        column.justify = "left"
    for one in checked.statements:
        tried = one.tried
        rows = tried.rows / tried.executions if tried.executions else 0.0
        table.add_row(
            tried.label,
            f"{tried.executions:,}" if tried.executions else "-",
            "-" if tried.median_ms is None else f"{tried.median_ms:.2f}",
            f"{rows:,.1f}" if tried.executions else "-",
            "-" if tried.hit_rate is None else f"{tried.hit_rate:.0%}",
            ", ".join(kind.partition(" ")[2] or kind for kind in one.types),
            "; ".join(one.plan) or ("not sent: it writes" if tried.unsent else ""),
        )
    console().print(table)
    name = Path(checked.file).name
    for one in checked.statements:
        place = f"{name}:{one.tried.place}" if one.tried.place else name
        for each in one.findings:
            say(f"{place}: {one.tried.label}: {each.kind}: {each.message}")
    if checked.unsized:
        say(
            f"note      the server does not tell the rows of {', '.join(checked.unsized)}: full-scan and"
            " tiny-pool go by the plan alone there"
        )
    if not checked.findings:
        said = (
            "nothing is doubtful"
            if checked.wrote
            else "nothing is doubtful of what was sent; writes were not"
        )
        count = counted(len(checked.statements), "statement", "statements")
        say(f"{name}: {count} on {checked.server}: {said}")
