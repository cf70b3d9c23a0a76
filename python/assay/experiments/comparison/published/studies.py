"""Finds the study files that repeat the published reports: published/<report>/*.toml of the shipped
studies.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.base.decoding import toml_tables
from assay.base.errors import InputError
from assay.design.study import SHIPPED, read_study_text
from assay.experiments.comparison.published.library import published_claims, published_reports

STUDIES = SHIPPED / "published"


@dataclass(frozen=True)
class ReportStudy:
    """A study file of a report, by its name, with the claims that its hypotheses test."""

    report: str
    file: Path
    name: str
    claims: tuple[str, ...]

    @property
    def needs_other_machine(self) -> bool:
        """Whether all its claims are listed as not testable on an ordinary machine."""
        known = published_claims()
        return bool(self.claims) and all(known[one].not_testable for one in self.claims if one in known)


def studies_of(report: str, place: Path | None = None) -> tuple[ReportStudy, ...]:
    """Returns the studies of a report, in the order of their file names; empty without any.

    `place` has a folder for each report; without it, that of the shipped studies. Raises InputError for a
    file that cannot be read.
    """
    files = sorted(((place or STUDIES) / report).glob("*.toml"))
    return tuple(_read(report, file) for file in files)


def files_to_run(report: str, place: Path | None = None, only: Sequence[str] = ()) -> list[Path]:
    """Returns the study files of a report; only those of the names in `only`, where there are any.

    Raises InputError for an unknown report, one without study files, and a name that no study has.
    """
    if report not in (known := [one.id for one in published_reports()]):
        raise InputError(f"{report!r} is not a published report", hint=f"there are {', '.join(known)}")
    studies = studies_of(report, place)
    if not studies:
        raise InputError(
            f"{(place or STUDIES) / report}: contains no study files",
            hint="give the folder that has them with --studies",
        )
    names = [one.name for one in studies]
    if unknown := [name for name in only if name not in names]:
        raise InputError(f"{report} has no study {unknown[0]!r}", hint=f"it has {', '.join(names)}")
    return [one.file for one in studies if not only or one.name in only]


def claim_of(id: str | None) -> str | None:
    """Returns the claim that a hypothesis with this id tests: `H002-01`, also for `H002-01b`; None for other
    ids.
    """
    found = re.match(r"H\d{3}-\d{2}(?!\d)", id or "")
    return found[0] if found else None


def claims_in(ids: Iterable[str | None]) -> tuple[str, ...]:
    """Returns the claims that hypotheses with these ids test, each once."""
    return tuple(dict.fromkeys(filter(None, map(claim_of, ids))))


def _read(report: str, file: Path) -> ReportStudy:
    try:
        study = toml_tables(read_study_text(file))
        name = str(study["study"]["name"])
        ids = [table.get("id") for table in study.get("hypothesis", [])]
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{file}: cannot be read as a study: {error}", hint=f"run assay plan {file}"
        ) from None
    return ReportStudy(report, file, name, claims_in(ids))
