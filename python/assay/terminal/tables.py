"""Tables of figures: no lines around the cells, numbers to the right."""

from __future__ import annotations

from rich.table import Table


def figures_table(*columns: str, left: int = 1) -> Table:
    """A table with these titles. The first `left` columns and those without a title hold words, the others
    numbers.
    """
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < left or not column else "right")
    return table
