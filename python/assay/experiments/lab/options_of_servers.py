"""Divides the options of a my.cnf among servers of which each has some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import HostError
from assay.design.study import Scalar, read_options_file
from assay.system.server import find_build, known_only
from assay.system.server.variables import is_loose, why_unknown


@dataclass(frozen=True)
class SharedOptions:
    """The options of a file by the servers that have them.

    `everywhere` are those of all servers, `own` the others, by server. `absent` has a sentence for each that
    a server lacks.
    """

    everywhere: Mapping[str, Scalar]
    own: Mapping[str, Mapping[str, Scalar]]
    absent: tuple[str, ...]


def shared_options(file: Path, uses: Sequence[str]) -> SharedOptions:
    """Returns the options of a my.cnf by the servers that have them; a server that is not on this machine
    counts as having all. What is wrong with the file is left to whoever reads the study.
    """
    options = read_options_file(file).variables
    lacking: dict[str, set[str]] = {use: set() for use in uses}
    absent = []
    for use in uses:
        with suppress(HostError):  # it is fetched later
            build = find_build(use)
            known = known_only(build, options)
            for name in options:
                if name not in known and not is_loose(name):
                    lacking[use].add(name)
                    absent.append(f"{use} goes without {name}: {why_unknown(build, name)}")
    divided = set().union(*lacking.values())
    return SharedOptions(
        everywhere={name: value for name, value in options.items() if name not in divided},
        own={
            use: {
                name: value for name, value in options.items() if name in divided and name not in lacking[use]
            }
            for use in uses
        },
        absent=tuple(absent),
    )
