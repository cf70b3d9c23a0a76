"""Changes keys of a study file that the command line overrides, and keeps the rest as its author wrote it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping
from typing import Any, cast

import tomlkit

from assay.errors import InputError
from assay.study.reading import Changes
from assay.study.study_text import StudyText


def with_changes(source: StudyText, changes: Changes) -> StudyText:
    """Returns the study's text with the changes; a results folder keeps this text.

    Comments, order and spelling stay, however the tables are written: `[ server ]`, inline, dotted.
    """
    if not changes:
        return source
    document = cast(MutableMapping[str, Any], tomlkit.parse(source.text))
    wanted = tomllib.loads(source.text)
    for (table, key), value in changes.items():
        if table not in document:
            document[table] = tomlkit.table()
        document[table][key] = value
        wanted.setdefault(table, {})[key] = value
    changed = tomlkit.dumps(cast(Mapping[str, Any], document))
    if tomllib.loads(changed) != wanted:
        raise InputError(
            f"{source.path}: cannot be combined with {_named(changes)} on the command line",
            hint="write the change into the file",
        )
    return StudyText(source.path, source.text, changed)


def _named(changes: Changes) -> str:
    return ", ".join(f"{table}.{key}" for table, key in changes)
