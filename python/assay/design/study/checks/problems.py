"""Reports what is wrong with a study file: file, line, key, the value found, and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from assay.base.errors import InputError
from assay.base.inner_path import AnyPath
from assay.design.study.key import Key
from assay.design.study.model.file import StudyFile
from assay.design.study.nearest import did_you_mean, nearest
from assay.design.study.toml_lines import Keys, line_of, written_at
from assay.design.study.values import bound_text, shown

_WANTED = {
    "string_type": "a string in quotes",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list in [ ]",
    "tuple_type": "a list in [ ]",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}
_BOUNDS = {
    "greater_than": ("gt", "above"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "below"),
    "less_than_equal": ("le", "at most"),
}


@dataclass(frozen=True)
class Problem:
    """One fault of a study file: its key, and a sentence."""

    keys: Keys
    sentence: str
    drawing: str | None = None  # of a claim: its text and a caret


def key_path(keys: Keys) -> str:
    """Returns a key path as text, `load.threads[2]`; list positions count from 0."""
    path = ""
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        else:
            plain = key if not path or "." not in key else f'"{key}"'
            path += f".{plain}" if path else plain
    return path


def input_error(
    path: AnyPath,
    text: str,
    problems: Sequence[Problem],
    places: Mapping[Keys, Keys] | None = None,
    scale: str | None = None,
) -> InputError:
    """Returns one error for all problems: the first is the message, the others its detail.

    `places`: by the path of a key, its path in `scale`. A complaint about such a key names its path there.
    """
    sentences = []
    for problem in problems:
        keys = written_at(problem.keys, places or {})
        line = line_of(text, keys)
        where = f"{path}:{line}" if line else str(path)
        within = "" if scale is None or keys[0] == "scale" else f' (with scale "{scale}")'
        sentences.append(f"{where}: {key_path(keys)}: {problem.sentence}{within}")
    detail = [f"{also}" for also in sentences[1:]]
    if problems[0].drawing:
        detail.insert(0, problems[0].drawing)
    hint = f"{len(problems)} things are wrong in this file" if len(problems) > 1 else None
    return InputError(sentences[0], hint=hint, detail="\n".join(detail) or None)


def shape_problems(error: ValidationError, root: type[BaseModel] = StudyFile) -> Iterator[Problem]:
    """Yields the problems that the models of a file found, in words; `root` models the whole file."""
    # An unknown key comes first: it is often the reason why another is missing.
    for found in sorted(error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden"):
        keys = _as_written(tuple(part for part in found["loc"] if part != "[key]"))
        context: Mapping[str, Any] = found.get("ctx", {})
        if found["type"] in ("value", "claim"):
            below: Sequence[str | int] = context["below"].split(".") if "below" in context else ()
            if "position" in context:
                below = (context["position"],)
            yield Problem((*keys, *below), context["sentence"], context.get("drawing"))
        else:
            yield Problem(keys, _sentence(root, found["type"], keys, found["input"], context))


def _as_written(keys: Keys) -> Keys:
    """Returns the path of a key in the file, where options stand in the table of what they are options of."""
    return (keys[0], *keys[2:]) if keys[1:2] == ("options",) and len(keys) > 2 else keys


def _sentence(root: type[BaseModel], kind: str, keys: Keys, found: object, context: Mapping[str, Any]) -> str:
    if kind == "extra_forbidden":
        return _unknown_key(root, keys)
    if kind == "missing":
        help_text = _field_help(root, keys)
        return f"is missing{f': {help_text}' if help_text else ''}"
    if kind == "literal_error":
        allowed = re.findall(r"'([^']*)'", context["expected"])
        close = nearest(found, allowed) if isinstance(found, str) else None
        also = f'; did you mean "{close}"?' if close else ""
        return f"{shown(found)} is not allowed; allowed: {', '.join(shown(word) for word in allowed)}{also}"
    if kind in _BOUNDS:
        bound, word = _BOUNDS[kind]
        return f"{shown(found)} is out of range; allowed: {word} {bound_text(context[bound])}"
    if kind == "string_pattern_mismatch":
        return f'{shown(found)} is not allowed; use a-z, 0-9, "-" and "_", as in "purge-threads"'
    if kind == "list_type" and isinstance(found, dict):
        return f"is a list of tables; write [[{keys[-1]}]], with two brackets"
    if kind == "string_too_short":
        return "is empty"
    if kind == "string_too_long":
        return f"{shown(found)} is too long; at most {context['max_length']} characters"
    return f"{shown(found)} is not {_WANTED.get(kind, 'allowed')}"


def keys_of_table(table: str) -> list[str]:
    """Returns the keys that a table of the file can have."""
    return _keys_of(_model_at(StudyFile, (table,)))


def _unknown_key(root: type[BaseModel], keys: Keys) -> str:
    key = str(keys[-1])
    siblings = _keys_of(_model_at(root, keys[:-1]))
    if key not in siblings:
        homes = [table for table in _keys_of(root) if key in _keys_of(_model_at(root, (table,)))]
        if homes and not nearest(key, siblings):
            return f"unknown key; it belongs in [{homes[0]}]"
    plural = {"factors": "factor", "hypotheses": "hypothesis", "gates": "gate", "levels": "factor"}
    if len(keys) == 1 and key in plural:
        return f"unknown key; write [[{plural[key]}]]"
    return f"unknown key{did_you_mean(key, siblings)}"


def _field_help(root: type[BaseModel], keys: Keys) -> str:
    model = _model_at(root, keys[:-1])
    if model is None:
        return ""
    for name, field in model.model_fields.items():
        if (field.alias or name) == keys[-1]:
            helps = (one.help for one in field.metadata if isinstance(one, Key))
            return field.description or next(helps, f"add a [{keys[-1]}] table")
    return ""


def _keys_of(model: type[BaseModel] | None) -> list[str]:
    return [] if model is None else [field.alias or name for name, field in model.model_fields.items()]


def _model_at(root: type[BaseModel], keys: Keys) -> type[BaseModel] | None:
    model: type[BaseModel] | None = root
    for key in keys:
        if model is None:
            return None
        if isinstance(key, str):
            annotations = [
                field.annotation for name, field in model.model_fields.items() if (field.alias or name) == key
            ]
            model = _model_in(annotations[0]) if annotations else None
    return model


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)
