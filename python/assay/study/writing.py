"""Writes a study as a TOML file, which `parse_study` reads back as the same study, or as changes of another
study's file.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import tomlkit
from pydantic import BaseModel

from assay.study.models import WORKLOAD, Factor, GateRule, Hypothesis, Load, Study, Warmup
from assay.study.override import REMOVED, Changes
from assay.study.storage import NO_SERVER, UNKNOWN_SERVER
from assay.study.toml_lines import Keys
from assay.study.values import Scalar, level_text


def study_toml(study: Study) -> str:
    """Returns the study as TOML, with every key that differs from its default; a varied key has only its
    levels.

    The texts of job files are not in it: they lie beside the study file, by the names that `use` has.
    """
    needed = ("workload", "load")
    tables = _tables(study)
    return tomlkit.dumps({name: table for name, table in tables.items() if table or name in needed})


_WHOLE = ("host", "volume", "factor", "hypothesis", "gate")
"""Tables that a change replaces as a whole: authors write their keys in several forms."""


def changes_between(old: Study, new: Study) -> Changes:
    """Returns the changes by which the file of `old` becomes one of `new`; what both share stays as its
    author wrote it.
    """
    before, after = _tables(old), _tables(new)
    changes: dict[Keys, Any] = {}
    for name, table in after.items():
        if name in _WHOLE:
            if table != before[name]:
                changes[name,] = table
            continue
        for key in {**before[name], **table}:
            value = table.get(key, REMOVED)
            if value is REMOVED or value != before[name].get(key):
                changes[name, key] = value
    return changes


def _tables(study: Study) -> dict[str, Any]:
    profile = study.profile
    varied = set(study.varied)
    tables: dict[str, Any] = {
        "study": _said(name=study.name, title=study.title, description=study.description)
        | _said(profile=profile.name if profile else None),
        "profile": {profile.name: _said(about=profile.about)} if profile else {},
        "server": _server(study, varied),
        "workload": _use(study.workload.use, WORKLOAD in varied) | study.workload.options,
        "schema": _changed(study.schema_),
        "storage": _storage(study),
        "host": dict(study.host),
        "volume": dict(study.volume),
        "load": _load(study.load),
        "experiment": {"use": study.experiment.use, **study.experiment.options} if study.experiment else {},
        "factor": [_factor(one) for one in study.factors],
        "design": _changed(study.design),
        "hypothesis": [_hypothesis(one) for one in study.hypotheses],
        "gate": [_gate(one) for one in study.gates],
        "verdict": _changed(study.verdict),
    }
    for full, value in study.given.items():
        section, _, key = full.partition(".")
        tables[section][key] = value
    return tables


def _factor(one: Factor) -> dict[str, Any]:
    written: dict[str, Any] = {"name": one.name, "levels": list(one.levels)}
    if any(None in row for row in one.values):
        return written | {"settings": {str(level): one.settings(level) for level in one.levels}}
    if one.keys:
        written |= {"keys": list(one.keys), "values": [list(row) for row in one.values]}
    return written


def _hypothesis(one: Hypothesis) -> dict[str, Any]:
    single, several = (one.texts[0], None) if len(one.texts) == 1 else (None, list(one.texts) or None)
    return _said(
        id=one.id,
        claim=single,
        claims=several,
        advice=one.advice,
        because=list(one.because) or None,
        assumes=one.assumes,
        source=one.source,
        margin=one.margin,
        at=list(one.at) if isinstance(one.at, tuple) else one.at,
    )


def _gate(one: GateRule) -> dict[str, Any]:
    usual = GateRule.model_fields
    return _said(
        id=one.id,
        claim=one.text,
        severity=None if one.severity == usual["severity"].default else one.severity,
        undecided=None if one.undecided == usual["undecided"].default else one.undecided,
        margin=one.margin or None,
        at=list(one.at) if isinstance(one.at, tuple) else one.at,
    )


def _server(study: Study, varied: set[str]) -> dict[str, Any]:
    server = study.server
    left_out = "server.use" in varied or server.use in (NO_SERVER, UNKNOWN_SERVER)
    spans = [str(span) for span in server.applies] or None
    others = _said(
        variables=server.variables, dynamic=server.dynamic, applies=spans, reason=server.reason, on=server.on
    )
    return _use(server.use, left_out) | others


def _storage(study: Study) -> dict[str, Any]:
    found = _changed(study.storage)
    if "round_s" in found:
        found["round"] = _seconds(found.pop("round_s"))
    return found


def _load(load: Load) -> dict[str, Any]:
    found = _changed(load)
    if "measure_s" in found:
        found["measure"] = _seconds(found.pop("measure_s"))
    if load.warmup != Load.model_fields["warmup"].default:
        found["warmup"] = _warmup(load.warmup)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}


def _warmup(warmup: Warmup) -> str:
    match warmup.kind:
        case "none":
            return "none"
        case "fixed":
            return _seconds(warmup.seconds)
    return f"until-steady <= {_seconds(warmup.seconds)}"


def _seconds(seconds: float) -> str:
    """Returns a length of time with every digit and no exponent, which a study may not have."""
    return f"{Decimal(level_text(seconds)):f}s"


def _use(name: str, left_out: bool) -> dict[str, Scalar]:
    return {} if left_out else {"use": name}


def _changed(model: BaseModel) -> dict[str, Any]:
    """Returns the fields that differ from their defaults."""
    defaults = {name: field.default for name, field in type(model).model_fields.items()}
    return {name: value for name, default in defaults.items() if (value := getattr(model, name)) != default}


def _said(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None and value != {}}
