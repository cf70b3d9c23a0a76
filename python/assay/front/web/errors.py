"""Answers to what cannot be shown: a page in the reader's language with the reason and what to do."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from assay.base.errors import AssayError
from assay.base.printable import line
from assay.front.web.links import Links
from assay.front.web.not_found import NotFound, NotYet
from assay.front.web.page import PageRequest, preferred, render
from assay.front.web.site import site_of
from assay.reporting.report import LANGUAGES, load_words


def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    one = _asked(request)
    why = error.reason(one.words) if isinstance(error, NotFound | NotYet) else one.words("web.error.nothing")
    answer = _page(one, error.status_code, why, None, again=isinstance(error, NotYet))
    answer.headers.update(error.headers or {})
    return answer


def _not_readable(request: Request, error: Exception) -> Response:
    assert isinstance(error, AssayError)
    return _page(_asked(request), 422, error.message, error.hint)


def _page(one: PageRequest, status: int, why: str, hint: str | None, *, again: bool = False) -> Response:
    """Returns the page of an error; with `again` it loads itself once more."""
    title = one.words("web.error.title-404" if status == 404 else "web.error.title")
    return render(
        one, "error.html.j2", title, status=status, why=line(why), hint=hint and line(hint), again=again
    )


def _asked(request: Request) -> PageRequest:
    first = request.url.path.split("/", 2)[1]
    language = first if first in LANGUAGES else preferred(request.headers.get("accept-language", ""))
    return PageRequest(request, site_of(request), language, load_words(language), Links(language))


HANDLERS: dict[Any, Any] = {HTTPException: _not_found, AssayError: _not_readable}
