"""What requests for a change have in common: their content, and the answer as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from assay.base.decoding import json_as
from assay.base.errors import AssayError, InputError


async def answer_of(do: Callable[[], Mapping[str, object]]) -> Response:
    """Returns what a change answers; the reason where it was refused."""
    try:
        return JSONResponse(await run_in_threadpool(do))
    except HTTPException as error:
        return JSONResponse({"error": error.detail}, status_code=error.status_code, headers=error.headers)
    except AssayError as error:
        said = " ".join(filter(None, (error.message, error.hint)))
        return JSONResponse({"error": said}, status_code=422 if isinstance(error, InputError) else 409)


async def object_of(request: Request) -> dict[str, Any]:
    """Returns the object that a request brings; an empty one where it brings none."""
    try:
        return json_as(await request.body(), dict[str, Any])
    except msgspec.DecodeError:
        return {}
