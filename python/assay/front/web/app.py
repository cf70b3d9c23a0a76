"""The application: the list of pages, behind the guard. A new page is its file and one line here."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from assay.front.web import assets, errors
from assay.front.web.compare import compare_page
from assay.front.web.history import history_page
from assay.front.web.live import live_page
from assay.front.web.overview import doubts_page, host_page, shelf
from assay.front.web.result import (
    events_page,
    gate_page,
    innodb_page,
    number_page,
    result_page,
    run_page,
    rung_page,
)
from assay.front.web.safety import LOCAL_NAMES, Safety
from assay.front.web.site import Site

routes: list[BaseRoute] = [
    *assets.ROUTES,
    *shelf.ROUTES,
    *number_page.ROUTES,
    *events_page.ROUTES,
    *rung_page.ROUTES,
    *run_page.ROUTES,
    *innodb_page.ROUTES,
    *result_page.ROUTES,
    *doubts_page.ROUTES,
    *gate_page.ROUTES,
    *compare_page.ROUTES,
    *history_page.ROUTES,
    *host_page.ROUTES,
    *live_page.ROUTES,
]
"""The pages, the first that fits an address answers."""


def make_app(
    site: Site, *, names: Iterable[str] = LOCAL_NAMES, reading_needs_token: bool = False
) -> Starlette:
    """Returns the application for the results of a site. `names` are the host names that it answers to."""
    guard = Middleware(Safety, token=site.token, names=tuple(names), reading_needs_token=reading_needs_token)
    app = Starlette(routes=routes, middleware=[guard], exception_handlers=errors.HANDLERS)
    app.state.site = site
    return app
