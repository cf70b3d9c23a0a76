"""The results that the pages show: their root, their catalogue, and those that are open."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from starlette.requests import Request

from assay.web.catalogue import Catalogue
from assay.web.opened import OpenedResults


@dataclass(frozen=True)
class Site:
    """What the pages are about. `token` allows changes, such as stopping a study; the terminal prints it.

    `is_static`: the pages are written as files, where nothing can be asked for.
    """

    root: Path
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    is_static: bool = False

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every results folder below the root."""
        return Catalogue(self.root)

    @cached_property
    def results(self) -> OpenedResults:
        """The results that were opened last."""
        return OpenedResults(self.root)


def site_of(request: Request) -> Site:
    """Returns the site that a request is for."""
    found: Site = request.app.state.site
    return found
