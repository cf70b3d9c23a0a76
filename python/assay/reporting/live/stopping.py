"""What a person can ask of the lab that carries a study out: to stop, to pause, to go on."""

from __future__ import annotations

import os
import signal
import time
from typing import Literal

from assay.base.errors import ConflictError, InputError
from assay.design.folder import Control, Request, ResultsFolder, ask, asked_of
from assay.design.folder.live import read_live
from assay.reporting.live.course import Course
from assay.system.server.process import ProcessId

Wish = Literal["stop", "now", "pause", "go-on"]
WISHES: tuple[Wish, ...] = ("stop", "now", "pause", "go-on")


def wish(folder: ResultsFolder, what: str) -> Wish:
    """Asks the lab of these results for something, and returns what was asked.

    `stop` and `pause` take effect when the run under way is over: nothing is lost. `now` is the signal of a
    first Ctrl-C, sent to the very process that began: the run under way ends early and will be done again.
    Raises InputError for another wish, ConflictError where no lab works on the results.
    """
    found = next((one for one in WISHES if one == what), None)
    if found is None:
        raise InputError(f"{what!r} cannot be asked for", hint=f"ask for one of {', '.join(WISHES)}")
    course = Course.of(read_live(folder.live))
    begun = course.begun
    if begun is None or not course.lab_is_alive():
        raise ConflictError(
            f"no lab works on {folder.path}", hint="run the study again: finished runs are kept"
        )
    if found == "now":
        _interrupt(ProcessId(begun.pid, begun.start_ticks))
        return found
    request: Request = found
    ask(
        folder,
        Control(
            request=request,
            pid=begun.pid,
            start_ticks=begun.start_ticks,
            at_wall_ns=time.time_ns(),
        ),
    )
    return found


def wished(folder: ResultsFolder, course: Course) -> Request | None:
    """Returns what the lab of this course was asked for last and has still to do."""
    begun = course.begun
    if begun is None or course.ended is not None:
        return None
    asked = asked_of(folder, begun.pid, begun.start_ticks)
    return None if asked == "go-on" else asked


def _interrupt(lab: ProcessId) -> None:
    """Sends SIGINT to this process and to no other that got its number since."""
    try:
        handle = os.pidfd_open(lab.pid)
    except OSError as error:
        raise ConflictError("the lab has ended meanwhile") from error
    try:
        if not lab.alive():  # the handle holds the number, so what is checked is what is signalled
            raise ConflictError("the lab has ended meanwhile")
        signal.pidfd_send_signal(handle, signal.SIGINT)
    except ProcessLookupError as error:
        raise ConflictError("the lab has ended meanwhile") from error
    finally:
        os.close(handle)
