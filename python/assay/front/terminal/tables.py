"""Makes tables of figures without lines around the cells, with numbers to the right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.table import Table

from assay.front.terminal.output import say

if TYPE_CHECKING:
    from assay.reporting.report import Table as PageTable


def figures_table(*columns: str, left: int = 1) -> Table:
    """Returns a table with these titles. The first `left` columns and those without a title hold words, the
    others numbers.
    """
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < left or not column else "right")
    return table


def say_tables(tables: Iterable[PageTable], language: str) -> None:
    """Prints tables as Markdown, for a page in this language."""
    from assay.reporting.report import load_words, to_markdown

    for table in tables:
        say(to_markdown(table, load_words(language)))
