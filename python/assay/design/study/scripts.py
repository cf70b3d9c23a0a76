"""Names of workloads that are texts of their own, Lua scripts and files of statements, and the files that
they load.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from assay.design.study.nearest import did_you_mean

LUA = "lua:"
"""Prefix of the name of a script: a file beside the study file or, without `.lua`, one that comes with the
engine.
"""
SQL = "sql:"
"""Prefix of the name of a file of statements beside the study file."""
_SUFFIX = ".lua"
_DATA = re.compile(r"^\s*--\s*@data\s+(.+?)(?:\s--.*)?$", re.M)
_LET = re.compile(r"--\s*@let\b(.+)$", re.M)
_CSV = re.compile(r"\bcsv\(\s*([^:()]+?)\s*:")
_LOADED = re.compile(r"""\b(require|dofile|loadfile)\b[^\n"']*(["'])([^"'\n]+)\2""")
_COMMENT = re.compile(r"--(?!\[).*")
_OF_PGBENCH = re.compile(r"^[ \t]*\\(?:set|setrandom|sleep|gset|startpipeline)\b", re.M | re.I)

NOT_WITH_SCRIPTS = {
    "terminals": "cannot be combined with a script, each of whose users has a connection of its own; write as"
    " many threads as there are users, or rate",
    "generators": "cannot be combined with a script, whose threads know of one engine; remove it: one engine"
    " runs thousands of them",
    "reconnect": "cannot be combined with a Lua script, which opens its own connections; the oltp scripts"
    " have the option reconnect: write it under [workload]",
}
"""Keys of `[load]` that a load by a script cannot have, with what to do instead."""

EXPERIMENTS_WITHOUT_SCRIPTS = {
    "bulk-load": "loads the tables of a workload in ways of its own, and only a script knows how its own are"
    " made; use a workload of `assay bench --help`",
    "connection-storm": "opens the connections of a workload again, and a script opens its own; vary the"
    " option with which the script reconnects, or use a workload of `assay bench --help`",
}
"""Experiments whose load cannot be a script, with what to do instead."""


def is_script(use: str) -> bool:
    """Returns whether a workload is a text of its own: a Lua script, or a file of statements."""
    return use.startswith((LUA, SQL))


def is_lua(use: str) -> bool:
    """Returns whether a workload is a Lua script."""
    return use.startswith(LUA)


def script_file(use: str) -> str | None:
    """Returns the name of the file with a workload's text; None for other workloads, and for a script that
    comes with the engine.
    """
    if use.startswith(SQL):
        return use.removeprefix(SQL)
    return use.removeprefix(LUA) if is_lua(use) and use.endswith(_SUFFIX) else None


def no_such_workload(name: str, known: Iterable[str], verb: str = "bench") -> tuple[str, str]:
    """Returns what is wrong with the name of a workload that nobody knows, and what to do about it: the name
    of a file is taken for a file.
    """
    close = did_you_mean(name, known)
    path, prefix = PurePath(name), {".sql": SQL, _SUFFIX: LUA}
    if path.suffix in prefix:
        hint = f"write {prefix[path.suffix]}{name}"
    elif path.suffix or len(path.parts) > 1:
        hint = "write sql:FILE for a file of SQL statements, lua:FILE for a script of sysbench"
    else:
        return f'no workload is called "{name}"{close}', f"`assay {verb} --help` lists them"
    return f'no workload is called "{name}"{close}', f"{hint}: assay manual guide/my-queries"


def is_of_pgbench(text: str) -> bool:
    """Returns whether a text is a script of pgbench: it has a command of it, which SQL has not."""
    return _OF_PGBENCH.search(text) is not None


def named_in_statements(text: str, folder: str) -> Iterator[str]:
    """Yields the names, relative to the study, of the files that a file of statements in `folder` names:
    those that make its tables, and those that it draws rows from.
    """
    found = [name.strip().strip("'\"") for line in _DATA.findall(text) for name in line.split(",")]
    found += [name for line in _LET.findall(text) for name in _CSV.findall(line)]
    yield from (f"{folder}/{name}" if folder else name for name in dict.fromkeys(found) if name)


def loaded_files(text: str, folder: str) -> Iterator[str]:
    """Yields the names under which files may lie that a script in `folder` loads, all relative to the study.

    A module may be another's, so a name without a file is no fault. Names that a script computes are not
    found.
    """
    for line in text.splitlines():
        for how, _, name in _LOADED.findall(_COMMENT.sub("", line)):
            if how == "require":
                stem = name.replace(".", "/")
                names = [f"{stem}.lua", f"{stem}/init.lua"]
            else:
                names = [name.removeprefix("./")]
            yield from names
            if folder:
                yield from (f"{folder}/{one}" for one in names)
