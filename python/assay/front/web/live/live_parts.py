"""The parts of the live page that the server makes: each is a piece of HTML that replaces the one before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from assay.base.format import OWN_MEASURES
from assay.base.numbers import AT_LEAST, number, ratio_with_interval, with_interval
from assay.base.wording import duration
from assay.design.folder import ResultsFolder
from assay.front.web.live.step_words import is_load, load_words, step_words
from assay.front.web.page import PageRequest, fragment
from assay.reporting.live import (
    Course,
    CourseRun,
    Doubting,
    Interim,
    Outcomes,
    RungFacts,
    Second,
    read_notes,
    recorded_doubts,
    so_far,
    wished,
)
from assay.reporting.report import explain_doubt
from assay.results.verdict import DoubtNote

MOST_DOUBTS = 50
MOST_SAID = 8
PARTS = ("top", "steps", "now", "plan", "so-far", "doubts", "said", "notes", "asked", "kept")
"""Parts of the live page in order; each has a place and a macro of that name in the template."""
QUICK = ("top", "now", "notes", "asked")
"""Parts of the live page that change by the clock or by what people ask, without a new line of the course."""


@dataclass(frozen=True)
class DoubtLine:
    """One doubt as the page shows it."""

    state: str
    kind: str
    text: str
    run: str
    at_ns: int


class LiveParts:
    """Makes the parts of one study's page in one language, and tells which have changed."""

    def __init__(self, one: PageRequest, rid: str, folder: ResultsFolder) -> None:
        self._one, self._rid, self._folder = one, rid, folder
        self._outcomes = Outcomes(folder)
        self._last: dict[str, str] = {}
        self._recorded: dict[tuple[str, int], list[DoubtLine]] = {}

    def all(
        self,
        course: Course,
        doubts: Sequence[Doubting],
        rung: RungFacts | None,
        second: Second | None,
        names: Sequence[str] = PARTS,
    ) -> dict[str, str]:
        """Returns parts as HTML, by default all."""
        now_ns = max(course.last_ns, 0 if second is None else second.at_ms * 1_000_000)
        make: dict[str, Callable[[], str]] = {
            "top": lambda: self._top(course, now_ns),
            "steps": lambda: self._steps(course, rung),
            "now": lambda: self._now(course, rung, second),
            "plan": lambda: self._made("plan", course=course),
            "so-far": lambda: self._so_far(course),
            "doubts": lambda: self._made("doubts", doubts=self._doubts(course, doubts)),
            "said": lambda: self._made("said", said=course.said[-MOST_SAID:]),
            "notes": lambda: self._made("notes", notes=read_notes(self._folder)),
            "asked": lambda: self._made(
                "asked", asked=wished(self._folder, course), course=course, alive=course.lab_is_alive()
            ),
            "kept": lambda: self._made("kept", done=course.counted("done"), runs=len(course.runs)),
        }
        return {name: make[name]() for name in names}

    def changed(
        self,
        course: Course,
        doubts: Sequence[Doubting],
        rung: RungFacts | None,
        second: Second | None,
        names: Sequence[str] = PARTS,
    ) -> Iterator[tuple[str, str]]:
        """Yields those of the parts that differ from what they were before."""
        for name, html in self.all(course, doubts, rung, second, names).items():
            if self._last.get(name) != html:
                self._last[name] = html
                yield name, html

    def _made(self, macro: str, **values: object) -> str:
        return fragment(self._one, "live_parts.html.j2", part=macro, rid=self._rid, **values)

    def _top(self, course: Course, now_ns: int) -> str:
        left = course.left(now_ns)
        said = None
        if left is not None:
            said = {
                "left": duration(left.seconds),
                "low": "" if left.low is None else _clock(left.low),
                "high": "" if left.high is None else _clock(left.high),
                "guess": left.guess,
                "ends": f"{datetime.fromtimestamp(now_ns / 1e9 + left.seconds):%H:%M}",
            }
        share = course.counted("done") + course.counted("failed")
        return self._made(
            "top",
            course=course,
            left=said,
            share=share / len(course.runs) if course.runs else 0.0,
            alive=course.lab_is_alive(),
        )

    def step(self, course: Course) -> str:
        """Returns the step under way in words; empty before the first."""
        return step_words(course.step, self._one.words) if course.step else ""

    def steps(self, course: Course) -> list[str]:
        """Returns the steps of the current run in words."""
        return [step_words(step, self._one.words) for step in course.steps]

    def _steps(self, course: Course, rung: RungFacts | None) -> str:
        """The band of steps: what the run under way did, does, and has ahead of it."""
        run = course.runs.get(course.current)
        is_under_way = run is not None and run.state == "under way"
        steps = self.steps(course) if is_under_way else []
        if not is_under_way and course.step and course.ended is None:
            steps = [step_words(course.step, self._one.words)]
        ahead: list[str] = []
        if is_under_way and run is not None and rung is not None and rung.run == run.run:
            ahead = [self._load(rung.kind, load) for load in run.loads[rung.number :]]
        elif is_under_way and run is not None and course.begun is not None:
            ahead = [self._load(course.begun.load_kind, load) for load in run.loads]
        return self._made("steps", steps=steps, ahead=ahead, advanced=course.advanced, run=run)

    def _now(self, course: Course, rung: RungFacts | None, second: Second | None) -> str:
        """The sentence of the charts."""
        words, said = self._one.words, ""
        if second is not None and rung is not None and course.ended is None:
            p95 = second.p95_ms
            said = words(
                "web.live.now",
                load=self._load(rung.kind, rung.load),
                rate=number(round(second.rate)),
                p95="–" if p95 is None else number(p95),
                flight=number(second.in_flight),
            )
            said = words.sentences([said, *self._kinds(second)])
        elif course.ended is None and course.step and is_load(course.step):
            said = words("web.live.at-an-end", step=self.step(course))
        elif course.ended is None and course.step:
            step = words("web.live.step-is", step=self.step(course))
            said = words.sentences([words("web.live.no-load"), step])
        return self._made("now", said=said)

    def _kinds(self, second: Second) -> Iterator[str]:
        """Yields what a workload with kinds of transactions did of each, and its own measures."""
        words = self._one.words
        if not second.kinds or second.seconds <= 0:
            return
        listed = (f"{name} {number(round(count / second.seconds))}/s" for name, count in second.kinds.items())
        yield words("web.live.kinds", kinds=words.listed(listed))
        for one in OWN_MEASURES:
            if one.kind in second.kinds:
                rate = second.kinds[one.kind] * one.per_s / second.seconds
                yield words("web.live.own", name=words.measure(one.name), value=number(round(rate)))

    def _so_far(self, course: Course) -> str:
        runs = list(course.runs.values())
        rows: list[Interim] = []
        if course.begun is not None and course.begun.treatments:
            rows = so_far(runs, self._outcomes, course.begun.treatments)
        return self._made(
            "so_far",
            rows=[
                {
                    "load": self._load(course.begun.load_kind if course.begun else "threads", row.load),
                    "treatment": row.treatment,
                    "blocks": row.blocks,
                    "rate": with_interval(row.rate, row.low, row.high),
                    "p95": f"{AT_LEAST if row.p95_at_least else ''}{number(row.p95_ms)}",
                    "ratio": ""
                    if row.ratio is None
                    else ratio_with_interval(row.ratio, row.ratio_low, row.ratio_high),
                }
                for row in rows
            ],
            planned=course.blocks,
        )

    def _doubts(self, course: Course, doubts: Sequence[Doubting]) -> list[DoubtLine]:
        known = {(one.run, one.kind): one for run in course.runs.values() for one in self._of_run(run)}
        for one in doubts:
            known.setdefault(
                (f"{one.run}/{one.rung}", one.kind),
                DoubtLine(one.state, self._kind(one.kind), self._says(one), one.run, one.at_wall_ns),
            )
        return sorted(known.values(), key=lambda one: -one.at_ns)[:MOST_DOUBTS]

    def _of_run(self, run: CourseRun) -> list[DoubtLine]:
        """Returns the doubts that were recorded of a finished run."""
        if run.state != "done":
            return []
        key = (run.run, run.ended_ns)
        if key not in self._recorded:
            self._recorded[key] = [
                DoubtLine(
                    "confirmed",
                    self._kind(one.kind),
                    explain_doubt(
                        self._one.words,
                        DoubtNote(
                            one.kind, one.message, run.run, None, "warning",
                            {"value": one.value or 0.0, "limit": one.limit or 0.0},
                        ),
                    ),
                    f"{run.run}/{(one.rung or '').removeprefix('rungs/')}",
                    run.ended_ns,
                )
                for one in recorded_doubts(self._folder, run)
            ]  # fmt: skip
        return self._recorded[key]

    def _kind(self, kind: str) -> str:
        words = self._one.words
        if kind.startswith("error-"):
            return words("web.live.doubt.error")
        return words.get(f"doubt.{kind}", "") or words.get(f"web.live.doubt.{kind}", kind)

    def _says(self, one: Doubting) -> str:
        words = self._one.words
        key = "error" if one.kind.startswith("error-") else one.kind
        if words.language == "en":
            return one.message
        if sentence := words.get(f"web.live.doubt-text.{key}", ""):
            return sentence.format(**one.figures)
        return explain_doubt(
            words, DoubtNote(one.kind, one.message, one.run, None, "warning", dict(one.figures))
        )

    def _load(self, kind: str, load: float) -> str:
        return load_words(kind, load, self._one.words)


def _clock(seconds: float) -> str:
    """Returns a length of time as `1:50` or `2:05:00`, for the ends of a range."""
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"
