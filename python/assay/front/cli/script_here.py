"""Reads a script or a file of statements that a command names, with the files that it needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.base.errors import InputError

if TYPE_CHECKING:
    from assay.design.plan import Script


def script_here(use: str) -> Script:
    """Returns the script that `use` names, `lua:PATH.lua` or `sql:PATH`, relative to the current folder, or
    one that comes with the engine. Raises InputError for a file that cannot be read.
    """
    from assay.design.plan import Script
    from assay.design.study import texts_of

    texts, problems = texts_of([use], Path.cwd())
    if problems:
        raise InputError(problems[0])
    files = {name: text for name, text in texts.items() if name != use}
    return Script(texts.get(use), files, threads=1)
