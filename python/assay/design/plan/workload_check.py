"""Checks a plan's workloads and their options by the engine's catalogue, before any load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.base.errors import InputError
from assay.design.plan.option_check import mismatch
from assay.design.plan.plan import Plan, Treatment
from assay.design.plan.treatments import SCHEMA_OPTIONS
from assay.design.storage import StudyLoad
from assay.design.study import EXPERIMENTS, LUA, SQL, WORKLOAD, StudyText, did_you_mean, no_such_workload

Schema = Mapping[str, Any]


def check_workload(plan: Plan, catalogue: Sequence[Mapping[str, Any]], source: StudyText) -> None:
    """Raises InputError for an unknown workload, an unknown option, or a value the option cannot take.

    `catalogue`: output of `assay-engine workloads`, a list of {"name", "summary", "options": JSON Schema}.
    `source`: the study's file, for the message.
    """
    known = {str(entry["name"]): entry for entry in catalogue}
    _check_dialects(plan, source)
    for treatment in plan.treatments:
        if treatment.storage is not None:
            _check_jobs(treatment.storage, plan, source)
            continue
        if treatment.workload not in known:
            sentence, hint = no_such_workload(treatment.workload, known)
            raise source.error(place_of(treatment, WORKLOAD), f"workload.use: {sentence}", hint=hint)
        schema: Schema = known[treatment.workload]["options"]
        for name, sentence in _problems(treatment, schema):
            raise source.error(
                place_of(treatment, name),
                f"{name}{_carried_out_by(name)}: {sentence}",
                hint=f"options of {treatment.workload}: {_help_of(treatment)}",
            )
        _check_statement(treatment, schema, source)


def _check_jobs(load: StudyLoad, plan: Plan, source: StudyText) -> None:
    """Raises InputError for a rung of a load on files that cannot be made into jobs."""
    try:
        load.ladder(plan.load_kind, plan.loads, Path("/a/run/of/its/own"))
    except InputError as error:
        raise InputError(f"{source.path}: {error.message}", hint=error.hint) from error


def _check_statement(treatment: Treatment, schema: Schema, source: StudyText) -> None:
    """Raises InputError for the default schema change where the tables are not sysbench's."""
    what = treatment.experiment
    if what is None or what.use != "schema-change" or "table_size" in schema.get("properties", {}):
        return
    usual = EXPERIMENTS[what.use].options["statement"].default
    if what.options["statement"] == usual:
        raise source.error(
            place_of(treatment, "experiment.statement"),
            f'experiment.statement: {treatment.workload} has no tables for "{usual}"',
            hint="write [experiment] statement for a table of this workload",
        )


def _check_dialects(plan: Plan, source: StudyText) -> None:
    """Raises InputError for a plan with several dialects, whose statements and counts cannot be compared."""
    dialects = {
        str(treatment.workload_options["dialect"])
        for treatment in plan.treatments
        if "dialect" in treatment.workload_options
    }
    if len(dialects) > 1:
        raise source.error(
            place_of(plan.treatments[0], "workload.dialect"),
            f"workload.dialect: results of {' and '.join(sorted(dialects))} cannot be compared:"
            " they differ in statements and in what is counted",
            hint="write a study for each dialect",
        )


def _help_of(treatment: Treatment) -> str:
    """Returns the command that lists the options of a treatment's workload."""
    if treatment.script is None:
        return f"assay bench {treatment.workload} --help"
    if treatment.workload.startswith(SQL):
        return f"lines with @option in {treatment.workload.removeprefix(SQL)}"
    return f"assay sysbench {treatment.workload.removeprefix(LUA)} help"


def _problems(treatment: Treatment, schema: Schema) -> Iterator[tuple[str, str]]:
    """Yields the study's name of an option, and what is wrong with its value."""
    options: Mapping[str, Schema] = schema.get("properties", {})
    for name, value in treatment.workload_options.items():
        key = _key(treatment, name)
        if name not in options and schema.get("additionalProperties"):
            continue  # a script that declares no options takes any
        if name not in options:
            yield key, f"{treatment.workload} has no such option{did_you_mean(name, options)}"
        elif sentence := mismatch(value, options[name], schema):
            yield key, sentence


def place_of(treatment: Treatment, key: str) -> tuple[str | int, ...]:
    """Returns the path of the study's key that sets what `key` names, such as "workload.tables": a factor, or
    its own line.
    """
    for number, factor in enumerate(treatment.levels):
        if key in treatment.tied.get(factor, ()):
            return ("factor", number, "values")
        if key == factor:
            return ("factor", number, "levels")
    return tuple(key.split("."))


def _key(treatment: Treatment, option: str) -> str:
    """Returns the study's key that set this option."""
    for key, carried_out_by in SCHEMA_OPTIONS.items():
        if option == carried_out_by and f"workload.{option}" not in treatment.varied:
            return key
    return f"workload.{option}"


def _carried_out_by(key: str) -> str:
    return f" (option {SCHEMA_OPTIONS[key]})" if key in SCHEMA_OPTIONS else ""
