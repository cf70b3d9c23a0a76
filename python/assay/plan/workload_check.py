"""Does the workload exist and take these options? Asked of the engine's catalogue before load is spent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.jobfiles.study_load import StudyLoad
from assay.plan.plan import Plan, Treatment
from assay.plan.treatments import SCHEMA_OPTIONS
from assay.study import Scalar
from assay.study.experiments import EXPERIMENTS
from assay.study.models import WORKLOAD
from assay.study.nearest import did_you_mean
from assay.study.study_text import StudyText
from assay.study.values import bound_text, shown

_WORDS = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "string": "a string in quotes",
    "null": "nothing",
}

_MOST = {"uint8": 2**8 - 1, "uint16": 2**16 - 1, "uint32": 2**32 - 1, "uint64": 2**64 - 1}
"""What a number of the engine's holds, where its schema names no bound of its own."""

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
            raise source.error(
                place_of(treatment, WORKLOAD),
                f'workload.use: no workload is called "{treatment.workload}"'
                f"{did_you_mean(treatment.workload, known)}",
                hint=f"this version has: {', '.join(known)}",
            )
        schema: Schema = known[treatment.workload]["options"]
        for name, sentence in _problems(treatment, schema):
            raise source.error(
                place_of(treatment, name),
                f"{name}{_carried_out_by(name)}: {sentence}",
                hint=f"options of {treatment.workload}: assay bench {treatment.workload} --help",
            )
        _check_statement(treatment, schema, source)


def _check_jobs(load: StudyLoad, plan: Plan, source: StudyText) -> None:
    """Every rung of a load on files can be made into jobs."""
    try:
        load.ladder(plan.load_kind, plan.loads, Path("/a/run/of/its/own"))
    except InputError as error:
        raise InputError(f"{source.path}: {error.message}", hint=error.hint) from error


def _check_statement(treatment: Treatment, schema: Schema, source: StudyText) -> None:
    """The schema change that is carried out unless a study says another is one of sysbench's tables."""
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
    """Dialects send other statements and count other things: a ratio of theirs means nothing."""
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


def _problems(treatment: Treatment, schema: Schema) -> Iterator[tuple[str, str]]:
    """The study's name of an option, and what is wrong with it."""
    options: Mapping[str, Schema] = schema.get("properties", {})
    for name, value in treatment.workload_options.items():
        key = _key(treatment, name)
        if name not in options:
            yield key, f"{treatment.workload} has no such option{did_you_mean(name, options)}"
        elif sentence := _mismatch(value, options[name], schema):
            yield key, sentence


def place_of(treatment: Treatment, key: str) -> tuple[str | int, ...]:
    """Where a study says what `key` names, as in "workload.tables": its factor, or its own line."""
    if key in treatment.levels:
        return ("factor", list(treatment.levels).index(key), "levels")
    return tuple(key.split("."))


def _key(treatment: Treatment, option: str) -> str:
    """How the study file came to set this option."""
    for key, carried_out_by in SCHEMA_OPTIONS.items():
        if option == carried_out_by and f"workload.{option}" not in treatment.levels:
            return key
    return f"workload.{option}"


def _carried_out_by(key: str) -> str:
    return f" (option {SCHEMA_OPTIONS[key]})" if key in SCHEMA_OPTIONS else ""


def _mismatch(value: Scalar, option: Schema, root: Schema) -> str | None:
    """A sentence when the value does not fit the option's schema, as far as scalars go."""
    if "$ref" in option:
        target = str(option["$ref"]).rpartition("/")[2]
        return _mismatch(value, root["$defs"][target], root)
    for alternatives in (option.get("anyOf"), option.get("oneOf")):
        if alternatives:
            found = [_mismatch(value, alternative, root) for alternative in alternatives]
            if None in found:
                return None
            allowed = [word for alternative in alternatives for word in _words(alternative)]
            return _not_among(value, allowed) if allowed else found[0]
    if (allowed := _words(option)) and value not in allowed:
        return _not_among(value, allowed)
    types = option.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_is(value, kind) for kind in types):
        return f"{shown(value)} is not {_WORDS.get(types[0], types[0])}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        if "minimum" in option and value < option["minimum"]:
            return f"{shown(value)} is out of range; allowed: at least {bound_text(option['minimum'])}"
        most = option.get("maximum", _MOST.get(option.get("format", "")))
        if most is not None and value > most:
            return f"{shown(value)} is out of range; allowed: at most {bound_text(most)}"
    return None


def _words(option: Schema) -> list[str]:
    """The words an enumeration allows; schemars writes one with a help text as a const of its own."""
    words = [option["const"]] if "const" in option else option.get("enum", [])
    return [word for word in words if word is not None]


def _not_among(value: Scalar, allowed: list[str]) -> str:
    close = did_you_mean(str(value), allowed)
    return f"{shown(value)} is not allowed{close}"


def _is(value: Scalar, kind: str) -> bool:
    match kind:
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "string":
            return isinstance(value, str)
    return False
