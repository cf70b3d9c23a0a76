"""Shows how far a data load is: a bar on a terminal, a line at every tenth elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from assay.design.folder import Progress
from assay.front.terminal import console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bars
    from rich.progress import TaskID


class LoadDisplay:
    """Shows the progress of a data load: enter it, `show` each event, then leave it or call `over`."""

    def __init__(self, console: Console, *, title: str = "") -> None:
        self._console = console
        self._title = title
        self._bars: Bars | None = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Starts the display of another load at zero."""
        self.over()
        self._tasks: dict[str, TaskID] = {}
        self._tenth: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.over()

    def over(self) -> None:
        """Removes the bar; the next progress event draws it again."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
            self._tasks = {}

    def show(self, progress: Progress) -> None:
        """Shows one progress event of the engine."""
        if not self._console.is_terminal:
            self._line(progress)
            return
        if self._bars is None:
            self._bars = _bars(self._console)
            self._bars.start()
        if progress.phase not in self._tasks:
            title = f"{self._title} {progress.phase}".strip()
            self._tasks[progress.phase] = self._bars.add_task(title, total=progress.total, unit=progress.unit)
        self._bars.update(self._tasks[progress.phase], completed=progress.done, total=progress.total)

    def _line(self, progress: Progress) -> None:
        tenth = progress.done * 10 // progress.total if progress.total else 10
        if tenth <= self._tenth.get(progress.phase, 0):
            return
        self._tenth[progress.phase] = tenth
        out = self._console if self._console.stderr else console(stderr=True)
        out.print(
            f"{self._title} {progress.phase} {progress.done:,} of {progress.total:,} {progress.unit}".strip(),
            markup=False,
        )


def _bars(console: Console) -> Bars:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
