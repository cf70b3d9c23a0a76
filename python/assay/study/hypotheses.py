"""`[[hypothesis]]` tables -> hypotheses with claims that speak of what the study has."""

from __future__ import annotations

from assay.study.claims import parse_claim
from assay.study.cross_check import nothing_to_compare, resolve, rung_problem, unreachable, unused_margin
from assay.study.experiment_check import not_measured
from assay.study.failure_check import fails_device, not_measured_without
from assay.study.file import StudyFile
from assay.study.files_check import drives_files, not_measured_there
from assay.study.models import Design, Factor, Hypothesis, Load
from assay.study.problems import Problem
from assay.study.volume_check import needs_volume


def read_hypotheses(
    file: StudyFile, load: Load, design: Design, factors: tuple[Factor, ...], *, measured: bool
) -> tuple[tuple[Hypothesis, ...], list[Problem]]:
    """The hypotheses, and complaints about them.

    `measured`: an earlier assay took them, and results rest on the file. What it took and a new study is
    refused for is left as it is: it changes nothing, and is no reason not to show what was found.
    """
    experiment = None if file.experiment is None else file.experiment.use
    files, fails = drives_files(file), fails_device(file)
    hypotheses: list[Hypothesis] = []
    problems: list[Problem] = []
    for number, table in enumerate(file.hypothesis):
        here = ("hypothesis", number)
        try:
            claim = resolve(parse_claim(table.claim), factors)
        except ValueError as error:
            problems.append(Problem((*here, "claim"), str(error)))
            continue
        problems += [
            Problem((*here, "claim"), text)
            for text in (
                *unreachable(claim, load, design, factors),
                *not_measured(claim, experiment),
                *not_measured_there(claim, files=files),
                *not_measured_without(claim, fails=fails, files=files),
                *needs_volume(claim, file),
                *(() if measured else nothing_to_compare(claim, design, factors)),
            )
        ]
        if not measured and table.margin is not None and (sentence := unused_margin(claim)):
            problems.append(Problem((*here, "margin"), sentence))
        for position, point in enumerate(table.at or ()):
            if sentence := rung_problem(point, load):
                problems.append(Problem((*here, "at", position), sentence))
        at = None if table.at is None else tuple(table.at)
        hypotheses.append(
            Hypothesis(claim=claim, text=table.claim, source=table.source, margin=table.margin, at=at)
        )
    return tuple(hypotheses), problems
