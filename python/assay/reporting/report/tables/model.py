"""Types of a table before it is written: named columns and rows of raw values, which writers format."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from assay.results.verdict import Bound

if TYPE_CHECKING:
    from assay.reporting.report.words import Words


@dataclass(frozen=True)
class Origin:
    """The estimate that a cell shows, by the study's name of the treatment; of a ratio, the other side's.

    `baseline` is what a ratio is to; None for a value.
    """

    treatment: str
    load: float
    measure: str
    baseline: str | None = None


@dataclass(frozen=True)
class Figure:
    """A measured value with its 95 % interval, where there is one. `of`: the estimate, where it is one.
    `at_least`: the true value may be any above.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    of: Origin | None = None
    at_least: bool = False


@dataclass(frozen=True)
class Ratio:
    """A ratio other / baseline with its interval and the verdict word of its `Comparison`. `of`: its other
    side. `bound`: what is known of it.
    """

    value: float | None
    low: float | None
    high: float | None
    word: str
    of: Origin | None = None
    bound: Bound = "exact"


@dataclass(frozen=True)
class Word:
    """A word from a fixed list ("supported", "varied", "warning"), shown in the reader's language."""

    word: str


@dataclass(frozen=True)
class Link:
    """A link to a path relative to the report, or to a place on its page: `#doubts`. `title` says more."""

    label: str
    href: str
    title: str = ""


@dataclass(frozen=True)
class Doubted:
    """The kinds of doubts about what a row shows, by their names in the reader's language: one mark on a
    page, which leads to the doubts.
    """

    names: tuple[str, ...]

    @property
    def mark(self) -> Link:
        """The mark with the number of kinds; their names are its title."""
        return Link(f"! {len(self.names)}", "#doubts", ", ".join(self.names))


Cell = None | str | int | float | Figure | Ratio | Word | Link | Doubted | tuple[Link, ...]


@dataclass(frozen=True)
class Column:
    """A column: `key` is its heading in CSV, the same in every language; `label` is its heading on the
    page. `side`: one of the treatments that stand side by side. `file_only`: the page says it elsewhere.
    """

    key: str
    label: str
    unit: str = ""
    kind: str = "number"  # number, ratio, text, prose (long text), code, word, links: how the page sets it
    group: str = ""  # heading of this column and its neighbours with the same one
    side: bool = False
    file_only: bool = False


def named_columns(words: Words, group: str, **kinds: str) -> tuple[Column, ...]:
    """Returns a column of a kind for each key, in this order; the phrase `GROUP.KEY` is its heading."""
    return tuple(Column(key, words(f"{group}.{key}"), kind=kind) for key, kind in kinds.items())


@dataclass(frozen=True)
class Table:
    """A table: `name` is its file's name, `section` its place on the page; `rows` have one cell a column."""

    section: str
    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    empty: str = ""  # what to say when there are no rows
    folded: bool = False  # long and seldom read: closed on the page until asked for
    tinted: bool = False  # ratios have the colour of their word behind them
    says: str = ""  # its result in one line, which stands on the page while it is closed
    part_of: str = ""  # the table whose files have its rows; empty where it has files of its own

    @property
    def file(self) -> str:
        """The name of the files that have its rows."""
        return self.part_of or self.name

    @property
    def has_cards(self) -> bool:
        """True where a narrow screen shows each row as a card, since what counts stands in the last columns:
        verdicts, ratios and sentences. Headings over several columns have no place on a card.
        """
        return not self.groups and any(one.kind in ("word", "ratio", "prose") for one in self.columns)

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Headings of neighbouring columns, each with their number; none where no column has one."""
        if not any(column.group for column in self.columns):
            return []
        return [(group, len(list(of))) for group, of in groupby(self.columns, key=lambda one: one.group)]
