"""Says which release a short name stands for, from when it is, and whether its series has newer ones."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime

from assay.base.errors import AssayError
from assay.design.study.storage import NO_SERVER
from assay.system.server.flavour import Flavour, Version
from assay.system.server.release.find import find_build
from assay.system.server.release.use import parse_use

_OLD_MONTHS = 36
_WHOLE = 3
"""Numbers of a version that leave nothing open."""


def meanings(uses: Iterable[str]) -> list[str]:
    """Returns a sentence for each name that leaves the release open, where the one that it stands for, here
    or else in the catalogue, is not the newest known of its series.
    """
    found = []
    for use in dict.fromkeys(uses):
        if use == NO_SERVER or use.startswith(("path:", "dsn:")):
            continue
        with suppress(AssayError):  # whoever needs the server says what is wrong
            flavour, wanted = parse_use(use)
            version = () if len(wanted) >= _WHOLE else _stands_for(use, flavour, wanted)
            if newer := flavour.newer_than(version):
                published = _published(flavour, version)
                month = f" of {published:%B %Y}" if published else ""
                found.append(
                    f"{use} means {flavour.title} {_number(version)}{month} here;"
                    f" the series goes to {_number(newer)} or later"
                )
    return found


def age(flavour: Flavour, version: Version, today: date | None = None) -> str:
    """Returns the month of a release, whether that is old, and the newest known of its series; empty where
    none of it is known.
    """
    published, newer = _published(flavour, version), flavour.newer_than(version)
    words = [f"{published:%B %Y}"] if published else []
    if published and _months(today or datetime.now(UTC).date()) - _months(published) >= _OLD_MONTHS:
        words.append("old")
    if newer:
        words.append(f"{_number(newer)} exists")
    return ", ".join(words)


def _published(flavour: Flavour, version: Version) -> date | None:
    """Returns the first day of the month in which a release was published; None where that is not known."""
    released = next((one.released for one in flavour.releases if one.version == version), "")
    return date.fromisoformat(f"{released}-01") if released else None


def _stands_for(use: str, flavour: Flavour, wanted: Version) -> Version:
    try:
        return find_build(use).version
    except AssayError:
        release = flavour.release(wanted)
        return () if release is None else release.version


def _months(day: date) -> int:
    return day.year * 12 + day.month


def _number(version: Version) -> str:
    return ".".join(map(str, version))
