"""Reads a script or a file of statements that a command names, with the files that it needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.errors import InputError

if TYPE_CHECKING:
    from assay.design.plan import Script


def script_here(use: str) -> tuple[str, Script]:
    """Returns the script that `use` names, `lua:PATH.lua` or `sql:PATH`, or one that comes with the engine,
    and its name as a workload: that of a file elsewhere is relative to its own folder.

    Raises InputError for a file that cannot be read.
    """
    from assay.design.plan import Script
    from assay.design.study import texts_of

    kind, _, name = use.partition(":")
    folder, path = Path.cwd(), Path(name).expanduser()
    if path.is_absolute() or ".." in path.parts:
        folder, use = path.parent, f"{kind}:{path.name}"
    texts, problems = texts_of([use], folder)
    if problems:
        raise InputError(problems[0])
    files = {name: text for name, text in texts.items() if name != use}
    return use, Script(texts.get(use), files, threads=1)
