"""The subject of a study, a server or storage: chosen by its workload, with all that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from assay.base.format import OWN_MEASURES
from assay.design.study.storage import FILEIO, FIO, HEADLINES, INNODB, MEASURES, PATTERN_HEADLINES

Kind = Literal["server", "storage"]


@dataclass(frozen=True)
class Subject:
    """What a study puts under load. `headlines`: measures that are always compared, throughput first."""

    kind: Kind
    headlines: tuple[str, ...]

    @property
    def throughput(self) -> str:
        """The measure of throughput."""
        return self.headlines[0]


IMPORTED: Mapping[Kind, str] = {"server": "imported:", "storage": "imported-files:"}
"""Prefixes of workloads whose results `assay import` brought in; the rest names the tool."""

SERVER = Subject("server", ("tps", "p95_ms", "p99_ms"))
STORAGE = Subject("storage", HEADLINES)
_PATTERN = Subject("storage", PATTERN_HEADLINES)
_IMPORTED: Mapping[Kind, Subject] = {
    "server": Subject("server", ("tps", *(one.name for one in OWN_MEASURES), "mean_ms", "p95_ms", "p99_ms")),
    "storage": Subject(
        "storage",
        ("iops", "mib_per_s", "mean_ms", "p95_ms", "read_completion_p99_ms", "write_completion_p99_ms"),
    ),
}
"""No tool prints all of these headlines; what it does not print has no row."""


def is_imported(use: str | None) -> bool:
    """Returns whether a workload stands for results of another tool."""
    return use is not None and use.startswith(tuple(IMPORTED.values()))


def subject_of(use: str) -> Subject:
    """Returns the subject that a workload drives, by the name that a study gives it."""
    if use == INNODB:
        return _PATTERN
    for kind, prefix in IMPORTED.items():
        if use.startswith(prefix):
            return _IMPORTED[kind]
    return STORAGE if use == FILEIO or use.startswith(FIO) else SERVER


def kind_measured(measure: str) -> Kind:
    """Returns the kind of subject that a headline measure belongs to; times belong to both, and are never
    first.
    """
    return "storage" if measure in MEASURES else "server"
