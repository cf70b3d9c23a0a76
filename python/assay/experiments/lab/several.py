"""Carries out several studies one after the other, with a forecast and a report of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import inf
from pathlib import Path

from assay.base.errors import AssayError, InputError, Interrupted
from assay.design.folder import ResultsFolder
from assay.design.study import Campaign
from assay.experiments.lab.carrying_out import carry_out
from assay.experiments.lab.forecast import Forecast, foresee
from assay.experiments.lab.judging import Judged, judged, judging
from assay.experiments.lab.opening import OpenedStudy, open_study
from assay.measurement.run import Outcome, RunProgress
from assay.reporting.report import IndexedStudy, write_index


@dataclass(frozen=True)
class QueuedStudy:
    """A study with its results folder and its forecast, or the reason why it cannot be read."""

    file: Path
    name: str
    folder: ResultsFolder | None
    opened: OpenedStudy | None
    forecast: Forecast | None
    refusal: AssayError | None
    scale: str | None = None  # as it was asked for
    fetches: tuple[str, ...] = ()  # servers of the catalogue that must be fetched before it runs

    @property
    def runs(self) -> int:
        """Number of the study's runs."""
        return 0 if self.forecast is None else len(self.forecast.plan.runs)

    @property
    def done(self) -> int:
        """Number of its finished runs."""
        return 0 if self.forecast is None else len(self.forecast.progress.done)

    @property
    def is_complete(self) -> bool:
        """Whether every run is finished."""
        return self.forecast is not None and _is_over(self.forecast)

    @property
    def seconds_left(self) -> float:
        """The estimated seconds it takes from here; 0 for a study that would be refused."""
        return 0.0 if self.forecast is None or self.refusal is not None else self.forecast.seconds_left

    @property
    def blocks_planned(self) -> int:
        """Number of the study's blocks."""
        return 0 if self.opened is None else self.opened.study.design.blocks

    @property
    def blocks_done(self) -> int:
        """Number of its complete blocks, counted from the first."""
        if self.forecast is None:
            return 0
        done = self.forecast.progress.done
        open_ones = (run.block for run in self.forecast.plan.runs if run.run_id not in done)
        return min(open_ones, default=self.blocks_planned + 1) - 1

    def blocks_within(self, seconds: float) -> int:
        """Returns how many blocks would be complete after so many seconds of work, by the forecast."""
        left = self.blocks_planned - self.blocks_done
        if self.seconds_left <= seconds:
            return self.blocks_planned
        return self.blocks_done + int(left * seconds / self.seconds_left)

    def with_blocks(self, blocks: int) -> OpenedStudy:
        """Returns the study with `blocks` blocks in place of its own number."""
        return open_study(self.file, {("design", "blocks"): blocks}, scale=self.scale)


@dataclass(frozen=True)
class EndedStudy:
    """The outcome of a queued study. `outcome` is None for one that was complete, or that ended in
    `error`.
    """

    queued: QueuedStudy
    outcome: Outcome | None
    error: AssayError | None
    page: Path | None
    cut_to: int | None = None  # blocks, where the time for all studies did not suffice for its own number

    @property
    def is_whole(self) -> bool:
        """Whether every run of it is over, and none failed this time."""
        return (
            self.error is None and self.cut_to is None and (self.outcome is None or not self.outcome.failed)
        )


def queued_studies(files: Sequence[Path], place: Path, scale: str | None = None) -> list[QueuedStudy]:
    """Returns the studies of these files with results in `place`/<name of the study>. Nothing is started.

    Those of a scale, `scale` or the file's default, lie in `place`/<scale>/<name of the study>. Raises
    InputError where none of them can be read, as with a scale that no file has.
    """
    queued = [_queued(file, place, scale) for file in files]
    refusals = [one.refusal for one in queued if one.opened is None]
    if refusals and len(refusals) == len(queued) and isinstance(refusals[0], InputError):
        raise refusals[0]  # what was asked for fits none of them
    return queued


def queued_campaign(campaign: Campaign, place: Path) -> list[QueuedStudy]:
    """Returns the studies of a campaign, with their results below `place`. Nothing is started."""
    return [_queued(one.file, place, one.scale) for one in campaign.studies]


def run_studies(
    queued: Sequence[QueuedStudy],
    progress_of: Callable[[QueuedStudy], RunProgress],
    write: Callable[[Judged], Path],
    budget_s: float | None = None,
) -> Iterator[EndedStudy]:
    """Carries each study out, or continues it, and writes its pages by `write`, in order.

    `budget_s` is the time for all of them: a study for which too little is left gets as many whole blocks as
    fit, by its forecast. What stops one study does not stop those after it; a signal stops all, and raises
    Interrupted. The same call continues there: finished runs are kept, and complete studies are left as they
    are. `progress_of` is asked before a study begins. To be called in the main thread, which signals reach.
    """
    began = time.monotonic()
    for one in queued:
        if one.opened is None or one.folder is None:
            yield EndedStudy(one, None, one.refusal, None)
            continue
        left_s = inf if budget_s is None else max(0.0, budget_s - (time.monotonic() - began))
        blocks = one.blocks_within(left_s)
        cut_to = blocks if blocks < one.blocks_planned else None
        outcome, page, progress = None, one.folder.report.path, None
        try:
            if blocks > one.blocks_done or (cut_to is None and not one.is_complete):
                opened = one.opened if cut_to is None else one.with_blocks(blocks)
                progress = progress_of(one)
                outcome = carry_out(opened, one.folder, progress)
            if outcome is not None or (blocks and not one.folder.report.is_file()):
                said = nullcontext() if progress is None else judging(one.folder, progress)
                with said, judged(one.folder, one.opened.study) as found:
                    page = write(found)
        except Interrupted:
            raise
        except AssayError as error:
            yield EndedStudy(one, outcome, error, None, cut_to)
        else:
            yield EndedStudy(one, outcome, None, page if blocks else None, cut_to)


def write_studies_index(
    title: Mapping[str, str], name: str, ended: Sequence[EndedStudy], place: Path
) -> Path:
    """Writes the index page of studies that were carried out, beside their folders below `place`.

    Returns the path of the English page.
    """
    place.mkdir(parents=True, exist_ok=True)
    return write_index(title, name, [_indexed(one, place) for one in ended], place)


def _indexed(ended: EndedStudy, place: Path) -> IndexedStudy:
    one = ended.queued
    problem = None if ended.error is None else ended.error.message
    if one.opened is None or one.folder is None or not one.folder.report.is_file():
        titles = {} if one.opened is None else one.opened.study.title
        return IndexedStudy(
            one.name, titles, blocks_planned=one.blocks_planned, problem=problem, cut_to=ended.cut_to
        )
    with judged(one.folder, one.opened.study) as found:
        results = found.results
    severities = [doubt.severity for doubt in results.doubts]
    return IndexedStudy(
        name=one.name,
        title=one.opened.study.title,
        folder=one.folder.path.relative_to(place).as_posix(),
        blocks=results.blocks_complete,
        blocks_planned=one.blocks_planned,
        hypotheses=results.hypotheses,
        invalid=severities.count("invalid"),
        warnings=severities.count("warning"),
        problem=problem,
        cut_to=ended.cut_to,
    )


def _queued(file: Path, place: Path, asked: str | None) -> QueuedStudy:
    try:
        opened = open_study(file, scale=asked)
        scale = opened.study.scale
        folder = ResultsFolder((place / scale.name if scale else place) / opened.study.name)
        forecast = foresee(opened, folder)
    except AssayError as error:
        return QueuedStudy(file, file.stem, None, None, None, error, asked)
    fetches = () if _is_over(forecast) else tuple(one.use for one in forecast.fetches)
    refusal = None if _is_over(forecast) else forecast.refusal
    return QueuedStudy(file, opened.study.name, folder, opened, forecast, refusal, asked, fetches)


def _is_over(forecast: Forecast) -> bool:
    return forecast.progress.done >= {run.run_id for run in forecast.plan.runs}
