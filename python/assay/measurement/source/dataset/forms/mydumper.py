"""A folder that mydumper has written: a file a table's definition, files of its rows, and `metadata`.

Names are those of the manual of mydumper ("Files"): `DB.TABLE-schema.sql`, `DB.TABLE.00001.sql`,
`DB-schema-create.sql`, `DB.VIEW-schema-view.sql`, `DB.TABLE-schema-triggers.sql`, `DB-schema-post.sql`; newer
versions write `metadata` as an INI file, and `DB-schema-triggers.sql`.
"""

from __future__ import annotations

import re
from pathlib import Path

from assay.base.errors import InputError
from assay.measurement.source.dataset.forms.form import (
    Form,
    Parts,
    database_taken,
    names_in,
    plain_name,
    statements,
)
from assay.system.server import OF_SERVER

_METADATA, _PARTIAL = "metadata", ("metadata.partial", "metadata.partial.0")
_MAKES, _TABLESPACES = "-schema-create.sql", "all-schema-create-tablespace.sql"
_OTHER_ROWS = (".dat", ".csv", ".tsv", ".json", ".parquet")
_KINDS = (
    (re.compile(r"-schema-create\.sql"), 0),
    (re.compile(r"-schema-sequence\.sql"), 0),
    (re.compile(r"-schema-view\.sql"), 3),
    (re.compile(r"-schema-triggers\.sql"), 4),
    (re.compile(r"-schema-(post|routines|events)\.sql"), 2),
    (re.compile(r"-schema\.sql"), 0),
    (re.compile(r"\.sql"), 1),
)
"""Endings of names with the turn of each."""


def _recognises(path: Path) -> bool:
    if not path.is_dir():
        return False
    names = [plain_name(file) for file in names_in(path)]
    marked = any(name in (_METADATA, *_PARTIAL) for name in names)
    return marked and any(name.endswith(("-schema.sql", "-schema-create.sql")) for name in names)


def _parts(path: Path, database: str | None) -> Parts:
    found, left_out, others = [], [], []
    files = names_in(path)
    for name in _PARTIAL:
        if (path / name).exists() and not (path / _METADATA).exists():
            raise InputError(f"{path} is a dump that was broken off: it has {name} and no {_METADATA}")
    databases = dict.fromkeys(
        _database(file)
        for file in files
        if plain_name(file).endswith(".sql") and plain_name(file) != _TABLESPACES
    )
    wanted = database_taken(path, [one for one in databases if one.lower() not in OF_SERVER], database)
    for file in files:
        name = plain_name(file)
        kind = next((turn for ending, turn in _KINDS if re.search(ending.pattern + r"\Z", name)), -1)
        if kind == -1:
            if name.endswith(_OTHER_ROWS):
                raise InputError(
                    f"{file} has rows in a form that is not read (mydumper --load-data, --csv)",
                    hint="dump again as SQL, without --load-data, --csv or --filetype",
                )
            if name != _METADATA and not name.endswith(("-metadata", "-checksum")):
                others.append(file.name)
        elif _database(file) == wanted:
            found.append((kind, file))
        else:
            others.append(file.name)
    if others:
        more = f" and {len(others) - 3} more" if len(others) > 3 else ""
        left_out.append(f"left out of {path.name}: {', '.join(others[:3])}{more}")
    ordered = [file for _, file in sorted(found, key=lambda one: one[0])]
    # The statement that makes the database has its name; those of files may stand for others.
    made = any(plain_name(file).endswith(_MAKES) for file in ordered)
    return Parts(tuple(map(statements, ordered)), tuple(left_out), None if made else wanted)


def _database(file: Path) -> str:
    name = plain_name(file)
    return re.split(r"\.|-schema", name, maxsplit=1)[0]


FORM = Form("mydumper", "a folder of mydumper", _recognises, _parts)
