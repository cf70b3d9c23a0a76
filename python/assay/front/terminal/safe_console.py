"""The one kind of console, which escapes control characters in everything that it prints."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import IO, Any, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from assay.base.printable import visible
from assay.front.terminal.output import PIPE_WIDTH, OutputClosed, broken, prose_width

_ALL = 10_000  # columns in which any table fits
_RULE = re.compile(r"[\u2500-\u257f]+")
_TRAILING = re.compile(r"[ \t]+(?=\n)")


class AssayConsole(Console):
    """A console made by `assay.front.terminal.console()`, whose output is always visible text.

    Control characters in any text are escaped where it becomes output, so that no caller can forget it. The
    colours and cursor movements are the console's own.
    """

    def __init__(
        self,
        *,
        stderr: bool = False,
        file: IO[str] | None = None,
        width: int | None = None,
        force_terminal: bool | None = None,
    ) -> None:
        stream = file or (sys.stderr if stderr else sys.stdout)
        super().__init__(
            highlight=False,
            soft_wrap=True,
            stderr=stderr,
            file=file,
            width=width,
            force_terminal=force_terminal,
            color_system=None if os.environ.get("NO_COLOR") else "auto",  # neither colours nor bold
        )
        if not self.is_terminal:
            self.file = cast(IO[str], _WithoutTrailingBlanks(stream))
            self.width = width or PIPE_WIDTH

    @property
    def encoding(self) -> str:
        """The encoding for `rich`, which draws its usual lines in any: the stream shows them in its own."""
        return "utf-8"

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yields segments of visible text; the console's own control codes stay."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield segment._replace(text=visible(segment.text))

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints as `rich` does; on a terminal the sentences of a text break between words, and a table whose
        words do not fit side by side becomes a list.
        """
        if len(objects) == 1 and self.is_terminal:
            (told,) = objects
            if isinstance(told, str):
                told = self.render_str(told, markup=options.get("markup"), highlight=False)
            if isinstance(told, Table) and not self._words_of(told, self.width) <= self._words_of(told, _ALL):
                told = self._listed(told)
            if isinstance(told, Text):
                lines = broken(told.plain, prose_width(self.width))
                parts = [Text.assemble(" " * indent, told[start:end]) for indent, start, end in lines]
                told = Text("\n").join(parts)
            objects = (told,)
        super().print(*objects, **options)

    def _words_of(self, table: Table, width: int) -> frozenset[str]:
        """Returns the words of a table as it is drawn in so many columns."""
        drawn = self.render_lines(table, self.options.update(width=width), pad=False)
        words = (word for one in drawn for word in "".join(part.text for part in one).split())
        return frozenset(word for word in words if not _RULE.fullmatch(word))

    def _listed(self, table: Table) -> Text:
        """Returns the rows of a table below one another, each value after the title of its column."""

        def plain(cell: RenderableType) -> Text:
            told = cell if isinstance(cell, Text) else self.render_str(str(cell), highlight=False)
            return Text(" ").join(told.split("\n"))

        titles = [plain(column.header) for column in table.columns]
        lines = [plain(table.title)] if table.title else []
        for row in zip(*(column.cells for column in table.columns), strict=True):
            for number, (title, cell) in enumerate(zip(titles, row, strict=True)):
                value = plain(cell)
                if value.plain.strip():
                    between = ": " if title.plain.strip() else ""
                    lines.append(Text.assemble("    " if number else "  ", title, between, value))
        return Text("\n").join([*lines, *([plain(table.caption)] if table.caption else [])])

    def on_broken_pipe(self) -> None:
        """Ends the program without an error message."""
        raise OutputClosed from None


class _WithoutTrailingBlanks:
    """A stream that removes the trailing blanks with which `rich` fills cells of tables."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(_TRAILING.sub("", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
