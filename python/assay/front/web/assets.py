"""Style sheets and scripts of the pages, from the package; nothing else can be asked for."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assay.reporting.report import page_style

LEAST_STEP = 20
_WIDEST = 1400
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".txt": "text/plain"}
_STYLE = "style.css"


@cache
def assets() -> dict[str, bytes]:
    """Returns every asset by name: the files of `assets/`, and the whole style sheet."""
    found = {
        file.name: file.read_bytes()
        for file in resources.files(__package__).joinpath("assets").iterdir()
        if any(file.name.endswith(ending) for ending in _TYPES)
    }
    found[_STYLE] = "\n".join([page_style(), found.pop("web.css").decode(), _widths()]).encode()
    return found


def least_class(pixels: int) -> str:
    """Returns the class of a chart that must not shrink below so many pixels: the policy allows no style of
    its own to an element.
    """
    return f"least-{min(pixels // LEAST_STEP * LEAST_STEP, _WIDEST)}"


def _widths() -> str:
    return "\n".join(
        f".least-{pixels} svg {{ min-width: {pixels}px }}" for pixels in range(0, _WIDEST + 1, LEAST_STEP)
    )


def answer(request: Request) -> Response:
    """Returns one asset, or that the browser has it already."""
    name = request.path_params["name"]
    if name not in assets():
        raise HTTPException(404)
    content = assets()[name]
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"etag": tag})
    kind = _TYPES[name[name.rindex(".") :]]
    return Response(content, media_type=f"{kind}; charset=utf-8", headers={"etag": tag})


ROUTES = [Route("/assets/{name}", answer)]
