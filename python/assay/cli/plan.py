"""`assay plan`: what a study would run, in which order, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.results_folder import results_option

if TYPE_CHECKING:
    from assay.plan import Plan, Treatment
    from assay.server import Build
    from assay.study import Study


@click.command("plan")
@click.argument("file", metavar="STUDY", type=click.Path(path_type=Path))
@click.option(
    "--seed", type=click.IntRange(min=0), help="Order the runs by this seed instead of the study's."
)
@results_option
@click.option("--json", "as_json", is_flag=True, help="Print the plan as one JSON object.")
def command(file: Path, seed: int | None, results: Path | None, as_json: bool) -> None:
    """Say what STUDY would run, in which order, and how long it takes. Nothing is started.

    The study is checked in full: keys, units, claims, and the options of its workload.

    \b
    Example:
      assay plan studies/quickstart.toml
      assay plan studies/quickstart.toml --json | jq '.runs[].run_id'
    """
    from assay.cli.plan_view import print_plan, print_plan_json
    from assay.cli.results_folder import folder_of, progress_of
    from assay.plan import check_kinds, check_workload, choose_seed, make_plan
    from assay.run.engine import workload_catalogue
    from assay.run.workload_size import sizes
    from assay.study import load_study, study_hash

    study = load_study(file)
    progress = progress_of(folder_of(study, results), study_hash(study))
    plan = make_plan(study, seed=next(s for s in (seed, progress.seed, choose_seed(study)) if s is not None))
    notes = _notes(study, plan)
    if _engine_is_built():
        catalogue = workload_catalogue()
        check_workload(plan, catalogue, file)
        check_kinds(study, plan, catalogue, file)
        known = sizes(plan)
    else:
        known = {}
        notes.append(
            "the engine is not built, so the workload's options are not checked and its tables count as small"
            " (assay doctor)"
        )
    if as_json:
        print_plan_json(study, plan, progress, known)
    else:
        print_plan(study, plan, progress, known, notes)


def _notes(study: Study, plan: Plan) -> list[str]:
    """What stands in the way of running the plan here, and what servers are told in other words."""
    from assay.errors import HostError
    from assay.server import find_build
    from assay.study.on_files import NO_SERVER

    notes = _not_to_be_had([one for one in plan.treatments if not one.server_use.startswith("dsn:")])
    for use in sorted({treatment.server_use for treatment in plan.treatments}):
        treatments = [treatment for treatment in plan.treatments if treatment.server_use == use]
        if use == NO_SERVER:
            continue
        if use.startswith("dsn:"):
            notes += _of_the_labs_servers_only(use, treatments)
            continue
        try:
            build = find_build(use)
        except HostError as error:
            notes.append(f"{error.message} (assay doctor)")
        else:
            notes += _other_words(build, treatments)
    if study.design.blocks < 6:
        notes.append(
            f"{study.design.blocks} blocks give estimates, no verdicts: six are the fewest that can decide"
        )
    return notes


def _not_to_be_had(treatments: Sequence[Treatment]) -> list[str]:
    """A line for each setting of the machine, and each volume, that is not to be had here."""
    from assay.run.machine import not_to_be_had

    lines: dict[str, None] = {}
    for treatment in treatments:
        lines |= dict.fromkeys(not_to_be_had(treatment))
    return list(lines)


def _of_the_labs_servers_only(use: str, treatments: Sequence[Treatment]) -> list[str]:
    """A line for each thing that a server that runs already cannot be given."""
    from assay.errors import InputError
    from assay.run.existing_server import refusals
    from assay.server import parse_dsn

    try:
        address = parse_dsn(use)
    except InputError as error:
        return [error.message]
    refused = (error.message for treatment in treatments for error in refusals(treatment, address))
    return list(dict.fromkeys(refused))


def _other_words(build: Build, treatments: Sequence[Treatment]) -> list[str]:
    """A line for each variable that this server is told by another name than the study's, or in parts."""
    from assay.errors import AssayError
    from assay.server.variables.translate import settings
    from assay.server.variables.values import option_text

    lines: dict[str, None] = {}
    for treatment in treatments:
        try:
            found = settings(build, treatment.variables)
        except AssayError as error:
            lines[error.message] = None
            continue
        for one in found:
            if one.note:
                told = f"{one.name} = {option_text(one.value)}"
                lines[f"{build.flavour.title} {build.version_number} is told {told}, for {one.note}"] = None
    return list(lines)


def _engine_is_built() -> bool:
    from assay.errors import HostError
    from assay.run.engine import find_engine

    try:
        find_engine()
    except HostError:
        return False
    return True
