"""Prints a search for the highest rate: its head, a line for each probe, the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from rich.console import Console

from assay.base import numbers
from assay.base.wording import counted, duration
from assay.experiments.bench import Bench, Objective, Probe, Searched, SearchedStarts, SearchOutcome
from assay.front.terminal.neighbours import warn


class SearchDisplay:
    """Shows the progress of a search: its head and a line for each probe."""

    def __init__(self, console: Console, bench: Bench, objective: Objective) -> None:
        self._console = console
        self._bench = bench
        self._objective = objective

    def note(self, message: str) -> None:
        """Prints a note on standard error."""
        warn(message)

    def starting(self, number: int, of: int, left_s: float | None) -> None:
        """Prints a line above the probes of one start."""
        left = "" if left_s is None else f", about {duration(left_s)} left"
        self._console.print(f"\nStart {number} of {of}{left}", markup=False)

    def begun(self, capacity: float) -> None:
        """Prints the head."""
        self._console.print(_head(self._bench, self._objective, capacity), markup=False)

    def probed(self, number: int, probe: Probe, known: SearchOutcome) -> None:
        """Prints the line of a probe."""
        self._console.print(_row(number, probe, known), markup=False)


def print_searched(searched: SearchedStarts, console: Console) -> None:
    """Prints the answer of a search, and remarks on it."""
    first, found = searched.counted[0], searched.found
    question = first.question
    if len(searched.counted) > 1:
        rows = [_of_a_start(number, one.found) for number, one in enumerate(searched.counted, 1)]
        console.print("\n" + "\n".join(rows), markup=False)
    if len(searched.counted) > 1 and found.rate is None:
        console.print(_open(question.objective, searched.counted), markup=False)
    else:
        console.print(_sentence(question.objective, found, question.confidence), markup=False)
    probes = [probe for one in searched.searches for probe in one.probes]
    capacity = fmean(one.capacity for one in searched.counted)
    for remark in _remarks(found, probes, capacity, whole=searched.complete):
        console.print(remark, markup=False)
    if found.rate is not None:
        console.print(_unit(searched), markup=False)


def _of_a_start(number: int, found: SearchOutcome) -> str:
    """Returns a line with one start's own answer."""
    if found.rate is not None:
        return f"start {number}: {found.rate:,.0f} transactions/s ({_range(found)})"
    return f"start {number}: {str(found.end).replace('-', ' ')}, {_range(found)} transactions/s"


def _open(objective: Objective, searches: Sequence[Searched]) -> str:
    """Returns a sentence that says why there is no rate over all starts."""
    ends = Counter(str(one.found.end) for one in searches if one.found.rate is None)
    words = {"never-met": "met at no rate tried", "always-met": "met at every rate tried"}
    parts = [
        f"{words.get(end, 'not decided')} in {count} of {counted(len(searches), 'start')}"
        for end, count in ends.items()
    ]
    return f"\n{objective} was {' and '.join(parts)}: there is no rate over all of them."


def _unit(searched: SearchedStarts) -> str:
    """Returns the words for what the interval covers: windows of one start, or starts."""
    starts = len(searched.counted)
    if starts == 1:
        return "The interval is of one start: how starts differ is not in it (--server with --starts 5)."
    if searched.restarted:
        return f"The interval is Student's t over {starts} starts of the server."
    return (
        f"The interval is Student's t over {starts} searches on a server that was not restarted:"
        " how starts differ is not in it."
    )


def _head(bench: Bench, objective: Objective, capacity: float) -> str:
    """Returns the head of a search: the objective, and the rate that a closed loop reached."""
    return (
        f"{bench.workload}: the highest rate with {objective} over {counted(bench.threads, 'connection')},"
        f" {bench.arrivals} arrivals\nA closed loop reaches {capacity:,.0f} transactions/s.\n"
        f"{'probe':>5} {'rate/s':>9} {'achieved':>9} {'quantile':>11} {'queue':>7}  verdict"
    )


def _row(number: int, probe: Probe, known: SearchOutcome) -> str:
    """Returns the line of one probe, and of the answer after it."""
    word = "met" if probe.met else "missed"
    why = f" ({probe.overload})" if probe.overload else ""
    between = f"   knee {_range(known)}" if known.rate is not None else ""
    quantile = f"{'≥ ' if probe.quantile_at_least else ''}{numbers.number(probe.quantile_ms)} ms"
    return (
        f"{number:>5} {probe.rate:>9,.0f} {probe.achieved:>9,.0f} {quantile:>11}"
        f" {probe.queue_after - probe.queue_before:>+7,}  {word}{why}{between}"
    )


def _sentence(objective: Objective, found: SearchOutcome, confidence: float) -> str:
    """Returns the sentence with the answer."""
    if found.rate is not None:
        return (
            f"\n{objective} is met up to {found.rate:,.0f} transactions/s"
            f" ({confidence:.0%} interval {_range(found)})."
        )
    if found.low is not None:
        return f"\n{objective} was met at every rate tried, up to {found.low:,.0f} transactions/s."
    if found.high is not None:
        return f"\n{objective} was met at no rate tried, down to {found.high:,.0f} transactions/s."
    return "\nNo window was measured."


def _remarks(found: SearchOutcome, probes: Sequence[Probe], capacity: float, *, whole: bool) -> list[str]:
    """Returns remarks on the answer; `whole` is False for an interrupted search."""
    lines = []
    if found.rate is not None:
        lines.append(f"That is {found.rate / capacity:.0%} of what the closed loop reached.")
    if found.end == "budget" and whole:
        lines.append("The probes ran out before the precision was reached: --probes allows more.")
    if found.end == "never-met":
        lines.append("The limit is below what the server needs when it is nearly idle, or it stalls.")
    kinds = Counter(kind for probe in probes for kind in set(probe.doubts))
    lines += [
        f"! {kind} in {count} of {counted(len(probes), 'probe')}" for kind, count in kinds.most_common()
    ]
    return lines


def _range(found: SearchOutcome) -> str:
    low, high = (("?" if edge is None else f"{edge:,.0f}") for edge in (found.low, found.high))
    return f"{low} to {high}"
