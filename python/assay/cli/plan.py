"""`assay plan`: what a study would run, in which order, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.argument_types import Whole
from assay.cli.results_folder import results_option
from assay.stats.region import fewest_blocks

if TYPE_CHECKING:
    from assay.plan import Plan, Treatment
    from assay.server import Build
    from assay.study import Study


@click.command("plan")
@click.argument("file", metavar="STUDY", type=click.Path(path_type=Path))
@click.option("--seed", type=Whole(0, 2**53 - 1), help="Order the runs by this seed instead of the study's.")
@results_option
@click.option("--json", "as_json", is_flag=True, help="Print the plan as one JSON object.")
def command(file: Path, seed: int | None, results: Path | None, as_json: bool) -> None:
    """Say what STUDY would run, in which order, and how long it takes. Nothing is started.

    The study is checked in full, by the list that `assay run` has: keys, units, claims, options of the
    workload, variables, room on the disks, the results folder. What `assay run` would refuse ends this
    command with the same message and exit code. Left to `assay run` is what only a trial tells: settings of
    the machine, volumes, variables that are set while the server runs.

    \b
    Example:
      assay plan studies/quickstart.toml
      assay plan studies/quickstart.toml --json | jq '.runs[].run_id'
    """
    from assay.cli.plan_view import print_plan, print_plan_json
    from assay.cli.results_folder import folder_of, progress_of
    from assay.engine.workload_size import sizes
    from assay.plan import choose_seed, make_plan
    from assay.run.preflight import look
    from assay.study import parse_study, read_study_text, study_hash
    from assay.study.study_text import StudyText

    text = read_study_text(file)
    study = parse_study(text, file)
    folder = folder_of(study, results)
    progress = progress_of(folder, study_hash(study))
    plan = make_plan(study, seed=next(s for s in (seed, progress.seed, choose_seed(study)) if s is not None))
    looked = look(study, plan, folder, StudyText(file, text))
    known = sizes(plan) if _engine_is_built() else {}
    if as_json:
        print_plan_json(study, plan, progress, known, looked.needs)
    else:
        print_plan(study, plan, progress, known, looked.needs, _notes(study, plan))
    if looked.refusal is not None:
        raise looked.refusal


def _notes(study: Study, plan: Plan) -> list[str]:
    """What is worth knowing before the plan is run: servers that are told in other words, too few blocks."""
    from assay.errors import AssayError
    from assay.server import find_build
    from assay.study.on_files import NO_SERVER

    notes: list[str] = []
    for use in sorted({treatment.server_use for treatment in plan.treatments}):
        if use == NO_SERVER or use.startswith("dsn:"):
            continue
        with suppress(AssayError):  # it is raised when all else is said
            notes += _other_words(find_build(use), [one for one in plan.treatments if one.server_use == use])
    if study.design.blocks < (fewest := fewest_blocks(study.verdict.confidence)):
        count = study.design.blocks
        notes.append(
            f"{count} block{'s give' if count > 1 else ' gives'} estimates, no verdicts:"
            f" {fewest} are the fewest that can decide"
        )
    return notes


def _other_words(build: Build, treatments: Sequence[Treatment]) -> list[str]:
    """A line for each variable that this server is told by another name than the study's, or in parts."""
    from assay.server.variables.translate import settings
    from assay.server.variables.values import option_text
    from assay.source.representatives import telling

    lines: dict[str, None] = {}
    for treatment in telling(treatments):
        for one in settings(build, treatment.variables):
            if one.note:
                told = f"{one.name} = {option_text(one.value)}"
                lines[f"{build.flavour.title} {build.version_number} is told {told}, for {one.note}"] = None
    return list(lines)


def _engine_is_built() -> bool:
    from assay.engine.process import find_engine
    from assay.errors import HostError

    try:
        find_engine()
    except HostError:
        return False
    return True
