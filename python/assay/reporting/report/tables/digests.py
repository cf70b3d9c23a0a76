"""The table of statements by form: how often each was sent, and what the server counted for it."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.tables.model import Cell, Column, Table
from assay.reporting.report.tables.wide import load_column

_MOST = 20
_FIGURES = ("calls", "us_per_call", "examined", "sent", "errors")

_QUERY = """
    WITH lines AS (
        SELECT line, treatment, load,
            CASE "group" WHEN 'statement' THEN 'us' ELSE "group" END AS figure,
            avg(amount) AS amount
        FROM ledger_lines
        WHERE (ledger = 'waits' AND "group" = 'statement')
            OR (ledger = 'counts' AND starts_with("group", 'statement'))
        GROUP BY ALL
    )
    SELECT line, treatment, load,
        max(amount) FILTER (figure = 'us') AS us,
        max(amount) FILTER (figure = 'statements') AS calls,
        max(amount) FILTER (figure = 'us') / max(amount) FILTER (figure = 'statements') AS us_per_call,
        max(amount) FILTER (figure = 'statement-rows-examined')
            / max(amount) FILTER (figure = 'statements') AS examined,
        max(amount) FILTER (figure = 'statement-rows-sent')
            / max(amount) FILTER (figure = 'statements') AS sent,
        max(amount) FILTER (figure = 'statement-errors')
            / max(amount) FILTER (figure = 'statements') AS errors,
    FROM lines GROUP BY ALL ORDER BY us DESC NULLS LAST, line, treatment, load"""


def tables(material: Material) -> list[Table]:
    """Returns `digests`: one row a form of statement, load point and treatment, the forms that take most of
    the time first; none where no server has counted them.
    """
    words, treatments = material.words, material.results.treatments
    found = [row for row in material.rows(_QUERY) if row["treatment"] in treatments]
    if not found:
        return []
    forms = list(dict.fromkeys(row["line"] for row in found))
    order = {form: place for place, form in enumerate(forms)}
    shown = sorted(
        (row for row in found if order[row["line"]] < _MOST),
        key=lambda row: (order[row["line"]], row["load"], treatments.index(row["treatment"])),
    )
    columns = (
        Column("statement", words("plans.statement"), kind="code"),
        load_column(material),
        Column("treatment", words("column.treatment"), kind="text"),
        Column("us", words("digests.us")),
        *(Column(name, words(f"digests.{name}")) for name in _FIGURES),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            row["line"] or words("digests.others"),
            row["load"],
            row["treatment"],
            row["us"],
            *(row[name] for name in _FIGURES),
        )
        for row in shown
    ]
    note = words("digests.note", shown=min(_MOST, len(forms)), forms=len(forms))
    return [
        Table(
            "why", "digests", words("digests.title"), columns, tuple(rows), note=note, folded=len(rows) > 30
        )
    ]
