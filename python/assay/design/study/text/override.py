"""Changes keys of a study file that a scale or the command line overrides, and keeps the rest as its author
wrote it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit.items import InlineTable

from assay.base.decoding import toml_tables
from assay.design.study.text.study_text import StudyText
from assay.design.study.toml_lines import Keys

Changes = Mapping[Keys, Any]
"""By the path of a key, as in `("factor", 0, "levels")`, the value that replaces the file's."""

REMOVED = object()
"""The value of a key that is taken out of the file."""


def change(raw: Any, changes: Changes) -> None:
    """Sets each key in the tables of a study file, plain or tomlkit's.

    A key whose table is a plain value in the file is not set.
    """
    for (*above, key), value in changes.items():
        table = raw
        for part in above:
            if value is REMOVED and isinstance(table, Mapping) and part not in table:
                break
            if isinstance(table, Mapping) and part not in table:
                table[part] = _empty_in(table)  # type: ignore[index]
            table = table[part]
            if not isinstance(table, Mapping | list):
                break
        else:
            if value is REMOVED:
                table.pop(key, None)
            else:
                table[key] = value


def with_changes(source: StudyText, changes: Changes, places: Mapping[Keys, Keys] | None = None) -> StudyText:
    """Returns the study's text with the changes; a results folder keeps this text. `places`: see `StudyText`.

    Comments, order and spelling stay, however the tables are written: `[ server ]`, inline, dotted. Comments
    are lost where the changes cannot be written among them.
    """
    if not changes:
        return source
    wanted = toml_tables(source.text)
    change(wanted, changes)
    document = tomlkit.parse(source.text)
    change(document, changes)
    changed = tomlkit.dumps(document)
    if not _reads_as(changed, wanted):
        changed = tomlkit.dumps(wanted)
    return StudyText(source.path, source.text, changed, places or {})


def _empty_in(table: object) -> Any:
    if isinstance(table, InlineTable):
        return tomlkit.inline_table()
    return {} if type(table) is dict else tomlkit.table()


def _reads_as(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return toml_tables(text) == wanted
    except tomllib.TOMLDecodeError:
        return False
