"""Reads `[[hypothesis]]` tables into hypotheses, with claims that refer to the study's own factors and
measures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assay.design.study.checks.cross_check import (
    nothing_to_compare,
    resolve,
    rung_problem,
    unreachable,
    unused_margin,
)
from assay.design.study.checks.experiment_check import not_measured
from assay.design.study.checks.failure_check import fails_device, not_measured_without
from assay.design.study.checks.files_check import drives_files, not_measured_there
from assay.design.study.checks.problems import Problem
from assay.design.study.checks.volume_check import needs_volume
from assay.design.study.claims import Claim, parse_at, parse_claim
from assay.design.study.claims.axes import At, Axis, OneOf
from assay.design.study.model.design import Design
from assay.design.study.model.factor import Factor
from assay.design.study.model.file import StudyFile
from assay.design.study.model.hypothesis import Hypothesis
from assay.design.study.model.load import Load
from assay.design.study.nearest import did_you_mean
from assay.design.study.toml_lines import Keys


def read_hypotheses(
    file: StudyFile, load: Load, design: Design, factors: tuple[Factor, ...], *, measured: bool
) -> tuple[tuple[Hypothesis, ...], list[Problem]]:
    """Returns the hypotheses, and the problems with them.

    `measured`: the file comes with results of an earlier assay. A fault that only later versions refuse is
    then ignored, so that the results can still be shown.
    """
    hypotheses: list[Hypothesis] = []
    problems = list(_together(file))
    for number, table in enumerate(file.hypothesis):
        here = ("hypothesis", number)
        claims: list[Claim] = []
        try:
            at, complaints = read_at(table.at, load)
        except ValueError as error:
            problems.append(Problem((*here, "at"), str(error)))
            continue
        problems += [Problem((*here, *where), text) for where, text in complaints]
        for where, text in table.texts:
            try:
                claim = resolve(placed(parse_claim(text), at, "hypothesis"), factors)
            except ValueError as error:
                problems.append(Problem((*here, *where), str(error)))
                continue
            claims.append(claim)
            found = claim_problems(claim, file, load, design, factors, measured=measured)
            problems += [Problem((*here, *where), sentence) for sentence in found]
        unused = table.margin is not None and claims and not any(claim.uses_margin for claim in claims)
        if unused and not measured:
            problems.append(Problem((*here, "margin"), unused_margin()))
        hypotheses.append(table.with_claims(claims))
    return tuple(hypotheses), problems


def read_at(at: tuple[float, ...] | str | None, load: Load) -> tuple[At | None, list[tuple[Keys, str]]]:
    """Returns the place that the key `at` of a table names for its claims, with problems. Raises ValueError
    for a text that is no place.
    """
    if isinstance(at, str):
        return parse_at(at), []
    if at is None:
        return None, []
    complaints: list[tuple[Keys, str]] = []
    for position, point in enumerate(at):
        if sentence := rung_problem(point, load):
            complaints.append((("at", position), sentence))
    # A rung that is missing is said once, where it stands.
    return None if complaints else At(Axis(load.kind), OneOf(at)), complaints


def placed(claim: Claim, at: At | None, table: str) -> Claim:
    """Returns the claim with the place of its table. Raises ValueError where both name one."""
    if at is None:
        return claim
    if claim.at is not None:
        raise ValueError(f'has "{claim.at}", and the {table} has "at" too: keep one of them')
    return replace(claim, at=at)


def _together(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with the keys of hypotheses: exactly one of claim, claims and advice; unique ids;
    `because` only with advice, and of other ids.
    """
    ids = [table.id for table in file.hypothesis if table.id is not None]
    for number, table in enumerate(file.hypothesis):
        here = ("hypothesis", number)
        said = [key for key in ("claim", "claims", "advice") if getattr(table, key) is not None]
        if len(said) != 1:
            yield Problem(
                here, f"needs one of claim, claims and advice; it has {' and '.join(said) or 'none'}"
            )
        if (table.advice is None) == bool(table.because):
            yield Problem(here, "advice needs because, and because advice: advice rests on hypotheses")
        if table.id is not None and ids.count(table.id) > 1:
            yield Problem((*here, "id"), f'"{table.id}" is the id of {ids.count(table.id)} hypotheses')
        for position, name in enumerate(table.because):
            if name == table.id or name not in ids:
                others = [one for one in ids if one != table.id]
                hint = did_you_mean(name, others)
                yield Problem(
                    (*here, "because", position), f'"{name}" is not the id of another hypothesis{hint}'
                )


def claim_problems(
    claim: Claim,
    file: StudyFile,
    load: Load,
    design: Design,
    factors: tuple[Factor, ...],
    *,
    measured: bool,
) -> Iterator[str]:
    """Yields what is wrong with a claim in this study, one sentence a problem."""
    experiment = None if file.experiment is None else file.experiment.use
    files, fails = drives_files(file), fails_device(file)
    yield from unreachable(claim, load, design, factors)
    yield from not_measured(claim, experiment)
    yield from not_measured_there(claim, files=files)
    yield from not_measured_without(claim, fails=fails, files=files)
    yield from needs_volume(claim, file)
    if not measured:
        yield from nothing_to_compare(claim, design, factors)
