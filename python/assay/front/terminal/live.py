"""The live display of a study on a terminal: an overall bar with time left, the current step, current
figures.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from assay.base.printable import line, shortened
from assay.design.folder import Event, Failure
from assay.front.terminal.output import prose_width
from assay.front.terminal.progress import Clock, figures_of, head

_GAP = "    "
_LEAST_BAR, _WIDEST_BAR = 8, 40


class LiveProgress:
    """Shows three lines at the foot of the terminal, above which a line for each finished run scrolls."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._clock = Clock(0, 0.0, 0.0)
        self._runs = self._number = 0
        self._run_id = self._step = self._figures = ""
        self._live = Live(get_renderable=self._draw, console=console, refresh_per_second=4, transient=True)

    def begin(self, *, runs: int, done: int, loading_s: float, run_s: float, judging_s: float = 0.0) -> None:
        self._runs, self._number = runs, done
        self._clock = Clock(runs - done, loading_s, run_s, judging_s)
        if done:
            self._console.print(head(runs, done, self._clock.left_s()), markup=False, highlight=False)
        self._live.start()

    def run_started(self, run_id: str, number: int) -> None:
        self._run_id, self._number, self._figures = run_id, number, ""
        self._clock.run_started()

    def step(self, what: str) -> None:
        self._step, self._figures = what, ""
        if not self._live.is_started:  # judging follows the runs
            self.note(f"{what} …")

    def event(self, event: Event) -> None:
        if (far := figures_of(event)) is not None:
            self._figures = far

    def run_finished(self, run_id: str, *, headline: str, failure: Failure | None) -> None:
        self._clock.run_finished()
        if failure is None:
            self._print_done(run_id, headline.split("; "))
        else:
            self._console.print(Text.assemble(("✗ ", "red"), (run_id, "bold"), "  ", line(failure.message)))
            if failure.detail:
                self._console.print(Text(shortened(failure.detail), style="dim"))

    def _print_done(self, run_id: str, rungs: Sequence[str]) -> None:
        """Prints a run and what its rungs came to: in one line, or below it in two columns."""
        head = Text.assemble(("✓ ", "green"), (run_id, "bold"))
        whole = Text.assemble(head, "  ", "; ".join(rungs))
        if whole.cell_len <= prose_width(self._console.width):
            self._console.print(whole)
            return
        self._console.print(head)
        width = max(map(cell_len, rungs))
        columns = 2 if 2 * (width + len(_GAP)) <= self._console.width else 1
        for at in range(0, len(rungs), columns):
            row = rungs[at : at + columns]
            cells = [set_cell_size(one, width) for one in row]
            self._console.print(Text(_GAP + _GAP.join(cells).rstrip()))

    def note(self, message: str) -> None:
        self._console.print(message, markup=False, highlight=False)

    def end(self) -> None:
        self._live.stop()

    def _draw(self) -> RenderableType:
        head = Table.grid(padding=(0, 2), expand=False)
        share = self._clock.share()
        percent, run, left = f"{share:4.0%}", f"run {self._number} of {self._runs}", self._clock.left()
        room = self._console.width - len(percent) - len(run) - len(left) - 3 * 2
        if room >= _LEAST_BAR:
            bar = ProgressBar(total=1.0, completed=share, width=min(room, _WIDEST_BAR))
            head.add_row(Text(percent), bar, Text(run), Text(left, style="cyan"))
        else:
            head.add_row(Text(f"{percent}  {run}  {left}", no_wrap=True, overflow="ellipsis"))
        step, figures = f"      {self._run_id}  {self._step}", f"      {self._figures}"
        return Group(
            head,
            Text(step, no_wrap=True, overflow="ellipsis"),
            Text(figures, style="dim", no_wrap=True, overflow="ellipsis"),
        )
