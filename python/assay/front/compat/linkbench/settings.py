"""Translates LinkBench's properties files into options of `assay bench linkbench`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.errors import InputError
from assay.base.inner_path import named_bytes
from assay.design.study import did_you_mean
from assay.front.compat.linkbench.keys import KNOWN, Meaning
from assay.front.compat.linkbench.properties import Property, parse_properties

HOME = "LINKBENCH_HOME"
"""The environment variable with the folder at which relative file names in a properties file begin, as in the
original.
"""

_STORE = "LinkStoreMysql"
_TABLES = ("linktable", "counttable", "nodetable")
_FILES = ("data_file",)


@dataclass(frozen=True)
class Settings:
    """Settings from the files: `options` are of the workload, `general` of the command, `tool` of LinkBench's
    text and files, all as text; `remarks` are for the user. A value's place is for messages.
    """

    files: tuple[Path, ...] = ()
    options: dict[str, Property] = field(default_factory=dict)
    general: dict[str, Property] = field(default_factory=dict)
    tool: dict[str, Property] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def read_settings(config: Path | None, overrides: Iterable[Property], options: Collection[str]) -> Settings:
    """Returns the settings of both files and the overrides, which win over `config`, and `config` over the
    file that it names.

    `options` are the names of the workload's own. Raises InputError for a file that cannot be read, for
    tables by other names, for another store than MySQL's, and for an override of an unknown key; unknown keys
    in files are ignored, as their own tool does.
    """
    overrides = list(overrides)
    for one in overrides:
        if one.key not in KNOWN and one.key not in options:
            raise InputError(f"{one.place}: no key is called {one.key!r}{_meant(one, options)}")
    said = {} if config is None else _by_key(_read(config, "--config"))
    said |= {one.key: one for one in overrides}
    files = [] if config is None else [config]
    if "workload_file" in said:
        workload_file = _found(said["workload_file"], config)
        files.append(workload_file)
        said = _by_key(_read(workload_file, said["workload_file"].place)) | said
    _refuse(said)
    groups: dict[Meaning, dict[str, Property]] = {Meaning.GENERAL: {}, Meaning.TOOL: {}}
    own: dict[str, Property] = {}
    remarks = []
    for key, one in said.items():
        known = KNOWN.get(key)
        if key in options:
            own[key] = _whole(one, config) if key in _FILES else one
        elif known is not None and known.meaning in groups:
            groups[known.meaning][key] = one
        else:
            remarks.append(_remark(one, options))
    return Settings(tuple(files), own, groups[Meaning.GENERAL], groups[Meaning.TOOL], tuple(remarks))


def _remark(one: Property, options: Collection[str]) -> str:
    known = KNOWN.get(one.key)
    if known is None:
        return f"{one.place}: no key is called {one.key!r}: it is left out{_meant(one, options)}"
    if known.meaning is Meaning.ELSEWHERE:
        return f"{one.place}: {one.key} is for {known.why} alone; it is left out"
    return f"{one.place}: {one.key} has no effect: {known.why}"


def _meant(one: Property, options: Collection[str]) -> str:
    return did_you_mean(one.key, [*KNOWN, *options])


def _refuse(said: dict[str, Property]) -> None:
    for key in ("linkstore", "nodestore"):
        if key in said and said[key].value.strip().rsplit(".", 1)[-1] != _STORE:
            one = said[key]
            raise InputError(
                f"{one.place}: {key} is {one.value}, but assay drives only servers of the MySQL family",
                hint=f"{key} = com.facebook.LinkBench.{_STORE}",
            )
    for key in _TABLES:
        if key in said and said[key].value.strip() != key:
            one = said[key]
            raise InputError(
                f"{one.place}: {key} is {one.value!r}, but the tables must be called {', '.join(_TABLES)}",
                hint="give each load a database of its own (dbid)",
            )


def _by_key(properties: list[Property]) -> dict[str, Property]:
    return {one.key: one for one in properties}


def _read(path: Path, asked_by: str) -> list[Property]:
    try:
        data = named_bytes(path)
    except OSError as error:
        raise InputError(f"{asked_by}: cannot read {path}: {error.strerror or error}") from None
    return parse_properties(data, path.name)


def _whole(one: Property, config: Path | None) -> Property:
    return Property(one.key, str(_found(one, config)), one.place)


def _found(one: Property, config: Path | None) -> Path:
    """Returns the file that a value names. A relative name begins at LinkBench's home, or at `config`'s
    directory or one above.
    """
    named = Path(one.value.strip())
    homes = [Path(os.environ[HOME])] if os.environ.get(HOME) else []
    if config is not None:
        folder = config.resolve().parent
        homes += [folder.parent, folder]
    tried = [named] if named.is_absolute() else [home / named for home in [*homes, Path.cwd()]]
    for place in tried:
        if place.is_file():
            return place.resolve()
    raise InputError(
        f"{one.place}: {one.key} names {one.value.strip()}, which does not exist",
        hint="a relative path starts at ${HOME}, at the folder of --config or at its parent",
        detail="Looked for:\n" + "\n".join(f"  {place}" for place in tried),
    )
