"""Follows studies while they run: writes the course, reads it and everything beside it, reduces and judges
nothing.

`recorded` writes `live.jsonl`; a `Follower` tells what is in it and in the files of the run under way, from a
`Position` on. `Course` is the state by it, `so_far` the estimates, `Doubts` what is doubted meanwhile. A page
and the terminal reduce the engine's intervals by `second_of`.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.reporting.live.course import Course, CourseRun, LabMessage, RunState
    from assay.reporting.live.following import EngineEvent, Follower, RungOpened, Sampled, Told
    from assay.reporting.live.interim import Interim, Outcomes, RungOutcome, last_result, outcome_of, so_far
    from assay.reporting.live.notes import Note, add_note, read_notes
    from assay.reporting.live.position import Position
    from assay.reporting.live.provisional import Doubting, Doubts, DoubtState
    from assay.reporting.live.recording import Recorded, recorded
    from assay.reporting.live.reduction import (
        NOMINAL_S,
        Second,
        cells_of,
        encode_second,
        is_a_rate,
        second_of,
        seconds_of,
    )
    from assay.reporting.live.signals import CHARTS, Chart, Line, Reading, Signals
    from assay.reporting.live.stopping import WISHES, Wish, wish, wished
    from assay.reporting.live.tail import Tail, start_of_last_lines
    from assay.reporting.live.time_left import time_left
    from assay.reporting.live.viewing import (
        PreviousLine,
        RungFacts,
        course_until,
        earlier,
        first_events,
        opened,
        previous,
        recorded_doubts,
        rung_facts,
        this_viewer,
    )
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "CHARTS",
    "NOMINAL_S",
    "WISHES",
    "Chart",
    "Course",
    "CourseRun",
    "DoubtState",
    "Doubting",
    "Doubts",
    "EngineEvent",
    "Follower",
    "Interim",
    "LabMessage",
    "Line",
    "Note",
    "Outcomes",
    "Position",
    "PreviousLine",
    "Reading",
    "Recorded",
    "RunState",
    "RungFacts",
    "RungOpened",
    "RungOutcome",
    "Sampled",
    "Second",
    "Signals",
    "Tail",
    "Told",
    "Wish",
    "add_note",
    "cells_of",
    "course_until",
    "earlier",
    "encode_second",
    "first_events",
    "is_a_rate",
    "last_result",
    "opened",
    "outcome_of",
    "previous",
    "read_notes",
    "recorded",
    "recorded_doubts",
    "rung_facts",
    "second_of",
    "seconds_of",
    "so_far",
    "start_of_last_lines",
    "this_viewer",
    "time_left",
    "wish",
    "wished",
]
