"""Carries out several studies one after the other, with a forecast and a report of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, Interrupted
from assay.folder import ResultsFolder
from assay.lab.carrying_out import carry_out
from assay.lab.forecast import Forecast, foresee
from assay.lab.judging import judged, write_pages
from assay.lab.opening import OpenedStudy, open_study
from assay.run import Outcome, RunProgress


@dataclass(frozen=True)
class QueuedStudy:
    """A study with its results folder and its forecast, or the reason why it cannot be read."""

    file: Path
    name: str
    folder: ResultsFolder | None
    opened: OpenedStudy | None
    forecast: Forecast | None
    refusal: AssayError | None

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


@dataclass(frozen=True)
class EndedStudy:
    """The outcome of a queued study. `outcome` is None for one that was complete, or that ended in
    `error`.
    """

    queued: QueuedStudy
    outcome: Outcome | None
    error: AssayError | None
    page: Path | None

    @property
    def is_whole(self) -> bool:
        """Whether every run of the study is finished, and none failed this time."""
        return self.error is None and (self.outcome is None or not self.outcome.failed)


def queued_studies(files: Sequence[Path], place: Path, profile: str | None = None) -> list[QueuedStudy]:
    """Returns the studies of these files with results in `place`/<name of the study>. Nothing is started.

    Those of a profile, `profile` or the file's default, lie in `place`/<profile>/<name of the study>.
    """
    return [_queued(file, place, profile) for file in files]


def run_studies(
    queued: Sequence[QueuedStudy], progress_of: Callable[[QueuedStudy], RunProgress]
) -> Iterator[EndedStudy]:
    """Carries each study out, or continues it, and writes its pages, in order.

    An error in one study does not stop those after it; a signal stops all, and raises Interrupted. A repeated
    call continues there, since finished runs are kept and complete studies are left alone. `progress_of` is
    called before a study begins. Must be called in the main thread, which receives signals.
    """
    for one in queued:
        if one.opened is None or one.folder is None:
            yield EndedStudy(one, None, one.refusal, None)
            continue
        outcome, page = None, one.folder.report
        try:
            if not one.is_complete:
                outcome = carry_out(one.opened, one.folder, progress_of(one))
            if outcome is not None or not page.is_file():
                with judged(one.folder, one.opened.study) as found:
                    page = write_pages(found)
        except Interrupted:
            raise
        except AssayError as error:
            yield EndedStudy(one, outcome, error, None)
        else:
            yield EndedStudy(one, outcome, None, page)


def _queued(file: Path, place: Path, asked: str | None) -> QueuedStudy:
    try:
        opened = open_study(file, profile=asked)
        profile = opened.study.profile
        folder = ResultsFolder((place / profile.name if profile else place) / opened.study.name)
        forecast = foresee(opened, folder)
    except AssayError as error:
        return QueuedStudy(file, file.stem, None, None, None, error)
    refusal = None if _is_over(forecast) else forecast.refusal
    return QueuedStudy(file, opened.study.name, folder, opened, forecast, refusal)


def _is_over(forecast: Forecast) -> bool:
    return forecast.progress.done >= {run.run_id for run in forecast.plan.runs}
