"""Shows the measurement of a disk while it runs, and what was found in a few lines."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.text import Text

from assay.base.wording import duration
from assay.design.folder import Event, Progress
from assay.front.terminal.loading import LoadDisplay
from assay.front.terminal.neighbours import warn
from assay.front.terminal.tables import figures_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from assay.reporting.report import Words
    from assay.results.advice import DiskJudged, DiskLoad

_STYLES = {
    "fit": "bold green",
    "fit-if-kept": "bold green",
    "fit-unsteady": "bold yellow",
    "unfit": "bold red",
}


class DiskDisplay:
    """Shows which load runs and how long it takes: in place on a terminal, a line a block elsewhere."""

    def __init__(self, console: Console, blocks: int) -> None:
        from assay.reporting.report import load_words

        self._console, self._blocks = console, blocks
        self._words = load_words("en")
        self._filling = LoadDisplay(console, title="making the files:")
        self._status: Status | None = None
        self._block = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._filling.over()
        if self._status is not None:
            self._status.stop()

    def note(self, message: str) -> None:
        """Prints a note on standard error."""
        warn(message)

    def stage(self, number: int, of: int) -> None:
        """Does nothing: `load` says more."""

    def event(self, event: Event) -> None:
        """Shows how far the files are."""
        if isinstance(event, Progress):
            if self._status is not None:
                self._status.stop()
                self._status = None
            self._filling.show(event)

    def load(self, load: DiskLoad | None, block: int, left_s: float) -> None:
        """Shows the load that begins."""
        self._filling.over()
        named = self._words("disk.load.course") if load is None else load_name(load, self._words)
        place = {"block": min(block + 1, self._blocks), "blocks": self._blocks, "left": duration(left_s)}
        said = named if load is None else self._words("disk.load.block", load=named, **place)
        if not self._console.is_terminal:
            if load is None or block != self._block:
                self._console.print(f"{time.strftime('%H:%M:%S')} {said}", markup=False)
        elif self._status is None:
            self._status = self._console.status(Text(said, no_wrap=True, overflow="ellipsis"))
            self._status.start()
        else:
            self._status.update(Text(said, no_wrap=True, overflow="ellipsis"))
        self._block = block


def load_name(load: DiskLoad, words: Words) -> str:
    """Returns a load in words."""
    from assay.reporting.report import disk_sentences

    size = disk_sentences.size_words(load.block_bytes)
    return words(f"disk.load.{load.kind}", size=size, depth=load.depth)


def print_disk(judged: DiskJudged, console: Console) -> None:
    """Prints what was found: figures first and the word last, right above the prompt."""
    from assay.reporting.report import disk_sentences as said
    from assay.reporting.report import load_words

    words = load_words("en")
    for title, columns, rows in (
        (
            "disk.commits-title",
            ("append", "commits", "syncs", "p50", "p99", "p999", "max"),
            said.commit_rows(judged),
        ),
        (
            "disk.random-title",
            ("load", "depth", "rate", "mib", "time50", "time99"),
            said.random_rows(judged, words),
        ),
    ):
        if rows:
            console.print(Text(words(title), style="bold"))
            table = figures_table(*(words(f"disk.column.{one}") for one in columns))
            for row in rows:
                table.add_row(*row.cells)
            console.print(table)
            console.print()
    word, why = said.kept_sentences(judged, words)
    for title, text in (
        ("disk.class", said.class_sentences(judged, words)),
        ("disk.steady", said.steady_sentence(judged, words)),
        ("disk.kept", words.sentences([word, why])),
    ):
        heading = words(title)
        console.print(Text.assemble((heading if heading.endswith("?") else f"{heading}:", "bold"), " ", text))
    console.print(Text(f"\n{words('disk.settings')}", style="bold"))
    for one in said.setting_lines(judged, words):
        console.print(Text.assemble("  ", one.text, "  " if one.text else "", (f"# {one.why}", "dim")))
    console.print()
    for doubt in judged.doubts:
        style = "" if doubt.severity == "note" else "yellow"
        console.print(Text(f"! {said.doubt_sentence(doubt, words)}", style=style))
    console.print(Text(said.headline(judged, words), style=_STYLES.get(judged.fitness.word, "bold yellow")))


def disk_object(judged: DiskJudged) -> object:
    """Returns what was found as plain objects for JSON, with the lines of my.cnf."""
    import json

    import msgspec

    from assay.results.advice import lines_for

    found = json.loads(msgspec.json.encode(judged))
    return {**found, "settings": json.loads(msgspec.json.encode(list(lines_for(judged))))}
