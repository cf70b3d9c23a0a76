"""Times of a result, with what is known of operations that never ended, for every discipline and engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from assay.base.format.event import KindTally, LabelTimes, RunResult
from assay.base.labels import WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.base.tally import Bag, Bins, Histogram, WindowTimes

Of = Literal["service", "wait", "response"]


def response_times(result: RunResult) -> WindowTimes[Histogram] | None:
    """Returns the response times of whole transactions; None where none was timed."""
    whole = result.labels.get(WHOLE)
    return None if whole is None else label_times(result, whole, "response")


def label_times(result: RunResult, times: LabelTimes, of: Of) -> WindowTimes[Histogram] | None:
    """Returns one kind of times of a label; None where it has none.

    Without a schedule the response time is the service time. What is known of operations that never ended is
    written under the whole transaction alone: any other label may have one of them.
    """
    from assay.base.tally import decode

    return _window(result, times, of, decode)


def plain_times(result: RunResult, times: LabelTimes, of: Of) -> WindowTimes[Bins] | None:
    """Returns what `label_times` does, without numpy: a third of the memory of a lab that measures."""
    from assay.base.tally import bins_of

    return _window(result, times, of, bins_of)


def _window(
    result: RunResult, times: LabelTimes, of: Of, read: Callable[[str], Bag]
) -> WindowTimes[Bag] | None:
    from assay.base.tally import WindowTimes

    if of == "response" and times.response is None:
        of = "service"
    text = getattr(times, of)
    if not text or not (found := read(text)).total:
        return None
    bounds, lost = _unended(result, times, of, read)
    # The wait of a transaction that failed was over; its service and its response never were.
    failed = result.failed if times is result.labels.get(WHOLE) and of != "wait" else 0
    return WindowTimes(found, bounds, lost, failed)


def kind_times(result: RunResult, kind: KindTally) -> WindowTimes[Histogram] | None:
    """Returns the response times of one kind of transactions; None where none was timed. Those that never
    ended may all be of this kind.
    """
    from assay.base.tally import WindowTimes, decode

    if kind.times is None or not (found := decode(kind.times.response or kind.times.service)).total:
        return None
    whole = response_times(result)
    return WindowTimes(found, lost=0 if whole is None else whole.unended, failed=kind.failed)


def _unended(
    result: RunResult, times: LabelTimes, of: Of, read: Callable[[str], Bag]
) -> tuple[Bag | None, int]:
    """Returns the lower bounds among the times, and the number of operations without one.

    `abandoned` were in flight at the end of the drain, and `dropped` were never sent. The result of an engine
    that did not keep their times, and of a part of the load that hung, has their numbers only.
    """
    never_sent = 0 if of == "service" else result.dropped
    in_flight = 0 if of == "wait" else result.abandoned
    unended = times.unended
    if unended is None:
        return None, never_sent + in_flight
    waited = 0 if unended.wait is None else read(unended.wait).total
    lost = max(0, never_sent - waited) + max(0, in_flight - (unended.count - waited))
    text = unended.service if of == "service" else unended.wait if of == "wait" else unended.response
    return (None if text is None else read(text)), lost
