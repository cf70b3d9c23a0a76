"""Removes redo files of servers that cannot change their size themselves, so that the server makes new
ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assay.design.folder import Scalar
from assay.design.study import number, option_text
from assay.system.server.release.build import Build
from assay.system.server.variables.catalogue import catalogue
from assay.system.server.variables.translate import translate


def fit_files(build: Build, data_dir: Path, variables: Mapping[str, Scalar]) -> None:
    """Makes a data directory fit for a start with these variables.

    It must have been stopped cleanly: otherwise redo that a recovery needs would be lost.
    """
    for fixed in build.flavour.fixed_files:
        if not fixed.holds(build.version):
            continue
        given = {**catalogue(build).defaults, **translate(build, variables)}
        wanted = [number(option_text(given[name])) for name in (fixed.each, fixed.count)]
        there = list(data_dir.glob(fixed.files))
        if {file.stat().st_size for file in there} != {wanted[0]} or len(there) != wanted[1]:
            for file in there:
                file.unlink()
