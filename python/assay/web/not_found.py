"""The error of an address that leads nowhere."""

from __future__ import annotations

from starlette.exceptions import HTTPException


class NotFound(HTTPException):
    """There is no such page. `why` says what is not there."""

    def __init__(self, why: str) -> None:
        super().__init__(404, why)
