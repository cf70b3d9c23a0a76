"""Refuses a server that the study does not apply to: by its name before the server is sought, then by its
version.
"""

from __future__ import annotations

from assay.base.errors import InputError
from assay.design.study import Study, StudyText, did_you_mean
from assay.design.study.storage import NO_SERVER
from assay.system.server.flavour import FLAVOURS, Version, flavour_named
from assay.system.server.release import parse_use


def check_flavours(study: Study, source: StudyText) -> None:
    """Raises InputError for a flavour in `server.applies` that Assay does not know."""
    for number, span in enumerate(study.server.applies):
        if span.flavour not in FLAVOURS:
            raise source.error(
                ("server", "applies", number),
                f'server.applies[{number}]: "{span.flavour}" cannot be a flavour of server'
                f"{did_you_mean(span.flavour, FLAVOURS)}",
            )


def check_named(study: Study, use: str) -> None:
    """Raises InputError when the study applies to no server that `use` can name, as far as a name says it."""
    if study.server.applies and use != NO_SERVER and not use.startswith(("path:", "dsn:")):
        flavour, version = parse_use(use)
        check_version(study, use, flavour.name, version)


def check_version(study: Study, use: str, flavour: str, version: Version) -> None:
    """Raises InputError when the study does not apply to this version, or to any that begins with these
    numbers. The error names the study's spans, its reason, and servers of the catalogue that it applies to.
    """
    spans = study.server.applies
    known = flavour_named(flavour)
    if not spans or any(span.meets(name, version) for span in spans for name in (flavour, known.based_on)):
        return
    server = f"{known.title} {'.'.join(map(str, version))}".strip()
    reason = f": {study.server.reason}" if study.server.reason else ""
    raise InputError(
        f"server.use = {use!r}: the study does not apply to {server}, only to"
        f" {' and '.join(map(str, spans))}{reason}",
        hint=f"servers of the catalogue that it applies to: {', '.join(catalogued(study)) or 'none'}",
    )


def catalogued(study: Study) -> list[str]:
    """Returns the servers of the catalogue that the study applies to, as `server.use` names them."""
    spans = study.server.applies
    return [
        f"{flavour.name}@{release.number}"
        for flavour in FLAVOURS.values()
        for release in flavour.releases
        if not spans or any(span.meets(flavour.name, release.version) for span in spans)
    ]
