"""The kind of work that figures are about: what was put under load, and by which workloads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from assay.design.study.scripts import is_script
from assay.design.study.storage import INNODB
from assay.design.study.subject import Kind, is_imported, subject_of

_FILES = "files"
"""Loads on files whose operations are alike: an operation a second means one thing in all of them."""


@dataclass(frozen=True)
class Work:
    """A kind of work. `names` are its workloads; none where nobody knows, as of another tool's results.

    Figures of different kinds of work have one unit and different meanings: a transaction of TPC-C is no
    transaction of sysbench.
    """

    subject: Kind
    names: tuple[str, ...] = ()

    def is_like(self, other: Work) -> bool:
        """Returns whether figures of both may stand side by side; where workloads are unknown, subjects
        decide.
        """
        if self.subject != other.subject:
            return False
        return not self.names or not other.names or not set(self.names).isdisjoint(other.names)

    def __str__(self) -> str:
        what = {"server": "a load on a server", "storage": "a load on files or disks"}[self.subject]
        return f"{what} ({', '.join(self.names)})" if self.names else what


def work_of(uses: Iterable[str]) -> Work:
    """Returns the kind of work of workloads, by the names that studies give them; there is at least one.

    A script counts as the workload of its name: sysbench's bundled scripts do what workloads of their names
    do.
    """
    known = list(uses)
    names = {_name(use) for use in known if not is_imported(use)}
    return Work(subject_of(known[0]).kind, tuple(sorted(names)))


def _name(use: str) -> str:
    if subject_of(use).kind == "storage":
        return use if use == INNODB else _FILES
    if is_script(use):
        return PurePosixPath(use.partition(":")[2]).name.removesuffix(".lua")
    return use
