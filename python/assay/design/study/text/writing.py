"""Writes a study as a TOML file, which `parse_study` reads back as the same study, or as changes of another
study's file.
"""

from __future__ import annotations

from collections.abc import Container
from decimal import Decimal
from typing import Any

import tomlkit
from pydantic import BaseModel

from assay.design.study.model.factor import Factor
from assay.design.study.model.gate import GateRule
from assay.design.study.model.hypothesis import Hypothesis
from assay.design.study.model.keys import SERVER_USE, WORKLOAD
from assay.design.study.model.phases import Warmup
from assay.design.study.model.study import Study
from assay.design.study.model.texts import as_written
from assay.design.study.storage import NO_SERVER, UNKNOWN_SERVER
from assay.design.study.text.override import REMOVED, Changes
from assay.design.study.toml_lines import Keys
from assay.design.study.values import Scalar, level_text
from assay.design.study.version_span import VersionSpan


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
    scale = study.scale
    varied = set(study.varied)
    experiment = study.experiment
    return {
        "study": _said(name=study.name, title=study.title, description=as_written(study.description))
        | _said(scale=scale.name if scale else None),
        "scale": {scale.name: _said(about=scale.about)} if scale else {},
        "server": _server(study, varied),
        "workload": _use(study.workload.use, WORKLOAD in varied) | study.workload.options,
        "schema": _table(study.schema_),
        "dataset": _table(study.dataset),
        "storage": _table(study.storage),
        "host": dict(study.host),
        "volume": dict(study.volume),
        "load": _table(study.load),
        "experiment": {"use": experiment.use, **experiment.options} if experiment else {},
        "factor": [_factor(one) for one in study.factors],
        "design": _table(study.design),
        "hypothesis": [_hypothesis(one) for one in study.hypotheses],
        "gate": [_gate(one) for one in study.gates],
        "verdict": _table(study.verdict),
    }


def _factor(one: Factor) -> dict[str, Any]:
    written: dict[str, Any] = {"name": one.name, "levels": list(one.levels)}
    levels = set(map(level_text, one.levels))
    if labels := {level: as_written(texts) for level, texts in one.labels.items() if level in levels}:
        written["labels"] = labels
    if any(None in row for row in one.values):
        return written | {"settings": {str(level): one.settings(level) for level in one.levels}}
    if one.keys:
        written |= {"keys": list(one.keys), "values": [list(row) for row in one.values]}
    return written


def _hypothesis(one: Hypothesis) -> dict[str, Any]:
    key, claims = ("claim", one.texts[0]) if len(one.texts) == 1 else ("claims", list(one.texts))
    texts = {name: getattr(one, name) for name in ("says", "source")}
    written = {name: as_written(text) for name, text in texts.items() if text}
    return _table(one, but=("claims", "texts", *texts)) | written | ({key: claims} if claims else {})


def _gate(one: GateRule) -> dict[str, Any]:
    return _table(one, but=("claim", "text")) | {"claim": one.text}


def _server(study: Study, varied: set[str]) -> dict[str, Any]:
    found = _table(study.server)
    if SERVER_USE in varied or study.server.use in (NO_SERVER, UNKNOWN_SERVER):
        del found["use"]
    return found


def _table(table: BaseModel, *, but: Container[str] = ()) -> dict[str, Any]:
    """Returns the keys whose values differ from their defaults, as a file has them."""
    found = {}
    for name, field in type(table).model_fields.items():
        if name not in but and (value := getattr(table, name)) != field.default:
            is_duration = field.alias is not None and name == f"{field.alias}_s"
            found[field.alias or name] = _seconds(value) if is_duration else _plain(value)
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(map(_plain, value))
    if isinstance(value, VersionSpan):
        return str(value)
    return _warmup(value) if isinstance(value, Warmup) else value


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


def _said(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None and value != {}}
