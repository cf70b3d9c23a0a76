"""Forecasts what a study would run, how long it would take and what would stop it; starts nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from assay.base.errors import AssayError, HostError
from assay.base.wording import duration
from assay.design.folder import ResultsFolder
from assay.design.plan import Estimate, Plan, Sizes, Treatment, estimate
from assay.design.study import Study, binaries, option_text, study_hash
from assay.design.study.storage import NO_SERVER
from assay.experiments.lab.carrying_out import planned
from assay.experiments.lab.code_of_study import StudyCode, study_code
from assay.experiments.lab.noise import KnownNoise, known_noise, margin_for
from assay.experiments.lab.opening import OpenedStudy
from assay.experiments.lab.progress import Progress, progress_of
from assay.measurement.calibration import kept_durations
from assay.measurement.run import look
from assay.measurement.source import Need, Trials, telling
from assay.measurement.source.dataset import has_own_data
from assay.results.stats import blocks_to_find, chance_of_same, detectable, fewest_blocks
from assay.results.verdict import design_of
from assay.system.engine import find_engine, script_listing, sizes
from assay.system.server import Build, NotStartedError, consent, find_build
from assay.system.server.release import Missing, meanings
from assay.system.server.variables import settings

#: Noise of single runs for which a forecast says what can be seen: a quiet machine's, and a busy one's.
SUPPOSED_NOISE = (0.01, 0.05)
Basis = Literal["copies", "stated", "supposed"]
ASKED = 1.03  # the ratio whose price is said
_MOST = 200


@dataclass(frozen=True)
class Sight:
    """What the planned blocks can show if one run has this noise. A ratio of 1.03 is a difference of 3 %."""

    noise: float  # standard deviation of the logarithm of one run
    basis: Basis  # A/A results, the study file, or nothing
    seen: float | None  # its direction is found with probability 0.8
    beyond_margin: float | None  # it is called better or worse with probability 0.8
    same: float  # how often two that are alike are called the same
    blocks_for_3_percent: int | None  # to call 3 % better with probability 0.8; None: more than 200


@dataclass(frozen=True)
class Forecast:
    """A plan, and its progress so far. `refusal` is the error that `carry_out` would raise, where the study
    is right.
    """

    study: Study
    plan: Plan
    progress: Progress
    known: KnownNoise | None  # by A/A results
    sizes: Sizes  # none without an engine to ask
    needs: tuple[Need, ...]  # room on disks
    notes: tuple[str, ...]  # a sentence each
    sights: tuple[Sight, ...]  # what the blocks can show; none of a study of one treatment
    refusal: AssayError | None
    code: tuple[StudyCode, ...] = ()  # what of the study would run, and as whom
    unchecked: tuple[str, ...] = ()  # what was not looked at, as that would have run or fetched some of it
    fetches: tuple[Missing, ...] = ()  # servers of the catalogue that a run fetches first

    @cached_property
    def left(self) -> Estimate:
        """How long the unfinished runs take, with the datasets to be loaded before and judging after them."""
        return estimate(
            self.study,
            self.plan,
            self.sizes,
            self.progress.done,
            self.progress.observed_s,
            known=kept_durations().expected_s,
            missing_datasets=sum(need.missing_datasets for need in self.needs) if self.needs else None,
        )

    @property
    def of_loads(self) -> str | None:
        """A sentence on what several loads of each dataset cost; None where there is one."""
        loads = max(one.data_loads for one in self.plan.treatments)
        if loads == 1:
            return None
        cost = f"loading takes {duration(self.left.loading_s)}, and the disk holds them all"
        if any(len(binaries(use)) > 1 for use in self.study.servers):
            return f"blocks take {loads} binaries of each build in turn, each with a load of its own: {cost}"
        said = self.study.design.loads is not None
        why = "as [design] says" if said else "as levels that are compared have data of their own"
        return (
            f"each dataset is loaded {loads} times, {why}: {cost}; with loads = 1, what levels differ in"
            " has the luck of one load in it"
        )

    @property
    def seconds_left(self) -> float:
        """The estimated seconds of all that is left."""
        return self.left.seconds


def foresee(
    opened: OpenedStudy, folder: ResultsFolder, *, seed: int | None = None, trials: Trials | None = None
) -> Forecast:
    """Returns the forecast of a study; servers are started only by `trials`, and no script can act. Raises
    InputError when the study is wrong.
    """
    with consent("look"):
        return _foreseen(opened, folder, seed, trials)


def _foreseen(
    opened: OpenedStudy, folder: ResultsFolder, seed: int | None, trials: Trials | None
) -> Forecast:
    study = opened.study
    plan = planned(study, folder, seed)
    looked = look(study, plan, folder, opened.text, trials=trials)
    known = _known(study, plan) if len(plan.treatments) > 1 else None
    margin, refusal = _margin(study, plan, folder, fetching=bool(looked.fetches))
    return Forecast(
        study=study,
        plan=plan,
        progress=progress_of(folder, study_hash(study)),
        sizes=sizes(plan) if _engine_is_built() else {},
        needs=looked.needs,
        notes=tuple(_notes(study, plan)),
        sights=tuple(_sights(study, plan, margin, known)) if len(plan.treatments) > 1 and margin else (),
        known=known,
        refusal=looked.refusal or refusal,
        code=tuple(study_code(study, plan)),
        unchecked=looked.unchecked,
        fetches=looked.fetches,
    )


def _known(study: Study, plan: Plan) -> KnownNoise | None:
    with suppress(AssayError):  # without a server or an engine nothing is known of them
        return known_noise(study, plan)
    return None


def _margin(
    study: Study, plan: Plan, folder: ResultsFolder, *, fetching: bool
) -> tuple[float | None, AssayError | None]:
    try:
        return margin_for(study, plan, folder) or study.verdict.known_margin, None
    except NotStartedError:
        return study.verdict.known_margin, None
    except HostError as error:  # the baseline's server may be one that is fetched
        return (study.verdict.known_margin, None) if fetching else (None, error)
    except AssayError as error:
        return None, error


def _noises(study: Study, known: KnownNoise | None) -> Iterator[tuple[float, Basis]]:
    if known is not None:
        yield known.worst.log_sd, "copies"
    elif study.verdict.noise is not None:
        yield study.verdict.noise, "stated"
    else:
        yield from ((noise, "supposed") for noise in SUPPOSED_NOISE)


def _sights(study: Study, plan: Plan, margin: float, known: KnownNoise | None) -> Iterator[Sight]:
    blocks, confidence = study.design.blocks, study.verdict.confidence
    # The effect of a factor rests on all treatments of a screen, and has less noise than a pair of runs.
    share = design_of(study).spread() / math.sqrt(2) if study.design.screens else 1.0
    loads = plan.data_loads if plan.data_loads > 1 and has_own_data(study) else None
    fewest = fewest_blocks(confidence)
    judged = blocks >= fewest
    for noise, basis in _noises(study, known):
        needed = blocks_to_find(ASKED, share * noise, confidence, margin, _MOST, loads)
        yield Sight(
            noise=noise,
            basis=basis,
            seen=detectable(share * noise, blocks, confidence, loads=loads) if judged else None,
            beyond_margin=detectable(share * noise, blocks, confidence, margin, loads) if judged else None,
            same=chance_of_same(share * noise, blocks, confidence, margin, loads) if judged else 0.0,
            blocks_for_3_percent=None if needed is None else max(needed, fewest),
        )


def _notes(study: Study, plan: Plan) -> list[str]:
    """Returns notes to read before the plan is run: what a file of statements says of itself, variables
    that servers know by other names, too few blocks.
    """
    notes: list[str] = [*study.left_out, *meanings(study.servers)]
    for one in plan.treatments:
        if one.script is None:
            continue
        with suppress(AssayError):  # it is raised when all else is said
            remarks = script_listing(one.workload, one.script, one.workload_options).get("remarks", [])
            notes += [remark for remark in remarks if remark not in notes]
    for use in sorted({treatment.server_use for treatment in plan.treatments}):
        if use == NO_SERVER or use.startswith("dsn:"):
            continue
        with suppress(AssayError):  # it is raised when all else is said
            notes += _other_words(find_build(use), [one for one in plan.treatments if one.server_use == use])
    if study.design.blocks < (fewest := fewest_blocks(study.verdict.confidence)):
        count = study.design.blocks
        notes.append(
            f"{count} block{'s give' if count > 1 else ' gives'} estimates, no verdicts:"
            f" a verdict needs at least {fewest}"
        )
    return notes


def _other_words(build: Build, treatments: Sequence[Treatment]) -> list[str]:
    """Returns a line for each variable that this server knows by another name than the study's, or in
    parts.
    """
    lines: dict[str, None] = {}
    for treatment in telling(treatments):
        for one in settings(build, treatment.variables):
            if one.note:
                told = f"{one.name} = {option_text(one.value)}"
                lines[f"{build.flavour.title} {build.version_number} is given {told}, for {one.note}"] = None
    return list(lines)


def _engine_is_built() -> bool:
    try:
        find_engine()
    except HostError:
        return False
    return True
