"""Judges results, for pages, summaries and notebooks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial

import duckdb

from assay.base.errors import InputError
from assay.design.folder import ResultsFolder, read_entry, read_looks
from assay.design.study import OF_COPIES, Study, load_measured
from assay.experiments.lab.kept_results import results_of
from assay.experiments.lab.known_doubts import with_known_doubts
from assay.experiments.lab.lines import with_lines
from assay.experiments.lab.looking import gate_at, is_last, with_look
from assay.experiments.lab.naming import with_naming
from assay.experiments.lab.settings import server_advice
from assay.measurement.calibration import StepTook, keep_durations
from assay.measurement.run import RunProgress
from assay.results.advice import ServerAdvice
from assay.results.stats import MOST_BLOCKS, Gate
from assay.results.store import build_store, folder_state, open_store
from assay.results.verdict import Results, count_treatments, judge


@dataclass(frozen=True)
class Judged:
    """A study's results with the store that they were judged from."""

    study: Study
    results: Results
    store: duckdb.DuckDBPyConnection
    folder: ResultsFolder

    @cached_property
    def advice(self) -> tuple[ServerAdvice, ...]:
        """What the study found of its server variables, for each of its servers."""
        return server_advice(self.study, self.results, self.store)


@contextmanager
def judged(folder: ResultsFolder, study: Study | None = None) -> Iterator[Judged]:
    """Yields a results folder judged by its own study file or by `study`; the store is closed at the end.

    The store is first rebuilt from run folders that changed. When the results give verdicts, this counts as a
    look, and is recorded in the folder. Results that were judged before are not judged again until a file
    changes. Raises InputError, which names a file that cannot be read.
    """
    state = folder_state(folder)  # before the files are read: what changes meanwhile is judged again
    with store_of(folder) as store:
        study = load_measured(folder.study_file) if study is None else study
        named, looks = study, read_looks(folder)
        study = _with_margin(study, folder)
        blocks = _blocks(study, store)
        gate = gate_at(looks, study.verdict.confidence, blocks)
        results = results_of(folder, state, study, gate, partial(judge, study, store, gate))
        results = with_lines(folder, with_naming(folder, named, results, looks, blocks))
        results = with_known_doubts(with_look(folder, named, results, blocks), store)
        yield Judged(study, results, store, folder)


@contextmanager
def judging(folder: ResultsFolder, progress: RunProgress) -> Iterator[None]:
    """Reports that results are judged for the length of the block, and keeps how long it took."""
    began = time.monotonic()
    progress.step("judging the results")
    try:
        yield
    finally:
        progress.end()
    runs = sum(1 for _ in folder.finished_runs())
    keep_durations([StepTook(kind="judging", size=runs, seconds=time.monotonic() - began)])


def is_looked_at(folder: ResultsFolder) -> bool:
    """Returns whether verdicts on all complete blocks have been looked at, so that judging them again is no
    further look. Raises what `judged` raises.
    """
    looks = read_looks(folder)
    with store_of(folder) as store:
        return is_last(looks, _blocks(own_study(folder), store))


@contextmanager
def figures_of(folder: ResultsFolder) -> Iterator[Judged]:
    """Yields the estimates of a results folder without verdicts; reading them is no look.

    Raises what `judged` raises.
    """
    with store_of(folder) as store:
        study = own_study(folder)
        no_verdict = Gate(study.verdict.confidence, MOST_BLOCKS + 1)
        yield Judged(study, with_lines(folder, judge(study, store, no_verdict)), store, folder)


def own_study(folder: ResultsFolder) -> Study:
    """Returns the study that results were measured for, with its margin as a number."""
    return _with_margin(load_measured(folder.study_file), folder)


def _with_margin(study: Study, folder: ResultsFolder) -> Study:
    """Returns the study with its margin as a number; a margin of copies is the one that its results began
    with.
    """
    if study.verdict.margin != OF_COPIES:
        return study
    margin = read_entry(folder).copies_margin
    if margin is None:
        raise InputError(
            f'{folder.path}: these results have no margin of copies, which margin = "{OF_COPIES}" asks for',
            hint="run assay aa STUDY, then assay run STUDY, which records the margin",
        )
    return study.model_copy(update={"verdict": study.verdict.model_copy(update={"margin": margin})})


def _blocks(study: Study, store: duckdb.DuckDBPyConnection) -> int:
    """Returns the number of complete blocks, whatever was found of them: looks are planned by their
    number.
    """
    query = (
        "SELECT count(*) FROM (SELECT block FROM runs WHERE status = 'complete' GROUP BY block"
        " HAVING count(DISTINCT treatment) >= ?)"
    )
    return int(store.execute(query, [count_treatments(study)]).fetchall()[0][0])


@contextmanager
def store_of(folder: ResultsFolder) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yields the store of a results folder, built where it is missing or outdated, and closes it at the end.

    Raises InputError when a file of the folder has other content than was written.
    """
    build_store(folder)
    try:
        with open_store(folder) as store:
            yield store
    except duckdb.Error as error:
        if isinstance(error, duckdb.ProgrammingError):  # a fault of the question, not of the files
            raise
        raise InputError(
            f"{folder.store} is damaged: {error}",
            hint="delete that folder: the same command makes it again from the runs",
        ) from error
