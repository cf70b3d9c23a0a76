"""The subject of a study, a server or storage: chosen by its workload, with all that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.study.storage import FILEIO, FIO, HEADLINES, INNODB, MEASURES, PATTERN_HEADLINES

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


SERVER = Subject("server", ("tps", "p95_ms", "p99_ms"))
STORAGE = Subject("storage", HEADLINES)
_PATTERN = Subject("storage", PATTERN_HEADLINES)


def subject_of(use: str) -> Subject:
    """Returns the subject that a workload drives, by the name that a study gives it."""
    if use == INNODB:
        return _PATTERN
    return STORAGE if use == FILEIO or use.startswith(FIO) else SERVER


def kind_measured(measure: str) -> Kind:
    """Returns the kind of subject that a headline measure belongs to; times belong to both, and are never
    first.
    """
    return "storage" if measure in MEASURES else "server"
