"""The errors of an address that leads nowhere, and of one that leads nowhere yet."""

from __future__ import annotations

from starlette.exceptions import HTTPException


class NotFound(HTTPException):
    """There is no such page. `why` says what is not there."""

    def __init__(self, why: str) -> None:
        super().__init__(404, why)


class NotYet(HTTPException):
    """What the address leads to is still being computed. `why` says what; the reader may ask again."""

    def __init__(self, why: str) -> None:
        super().__init__(503, why, headers={"Retry-After": "2"})
