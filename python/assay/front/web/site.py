"""The results that the pages show: their root, their catalogue, and those that are open."""

from __future__ import annotations

import secrets
from pathlib import Path

from starlette.requests import Request

from assay.experiments.lab import pictures
from assay.front.web.archive.catalogue import Catalogue
from assay.front.web.archive.open_results import OpenedResults, OpenResults
from assay.front.web.history.histories import Histories


class Site:
    """What the pages are about. `token` allows changes, such as stopping a study; the terminal prints it.

    `is_static`: the pages are written as files, where nothing can be asked for. `is_closing`: the server was
    told to stop, so open streams end. `pictures` is the folder that keeps drawn charts.
    """

    def __init__(self, root: Path, *, token: str | None = None, is_static: bool = False) -> None:
        self.pictures = pictures()
        self.root = root
        self.token = token or self.new_token()
        self.is_static = is_static
        self.is_closing = False
        self.catalogue = Catalogue(root)
        self.results = OpenedResults()
        self.histories = Histories(root)

    @staticmethod
    def new_token() -> str:
        """Returns a token that nobody can guess."""
        return secrets.token_urlsafe(24)

    @property
    def is_reading(self) -> bool:
        """Whether results are read in the background."""
        return self.catalogue.is_reading or self.histories.is_making

    def close(self, patience_s: float) -> bool:
        """Ends what is done in the background, and returns whether it has ended in time."""
        return self.catalogue.close(patience_s) and self.histories.close(patience_s)

    def opened(self, rid: str) -> OpenResults:
        """Returns the results with this name. Raises NotFound where there are none, and InputError where they
        cannot be read.
        """
        row = self.catalogue.row(rid)
        return self.results.of(row, self.catalogue.folder_of(row))


def site_of(request: Request) -> Site:
    """Returns the site that a request is for."""
    found: Site = request.app.state.site
    return found
