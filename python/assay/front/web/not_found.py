"""The errors of an address that leads nowhere, and of one that leads nowhere yet."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException

from assay.reporting.report import Words, load_words


class _Reason(HTTPException):
    """An error whose reason is a phrase of the catalogue, with what its `{names}` stand for. `detail` is the
    reason in English, for programs.
    """

    def __init__(self, status: int, phrase: str, values: dict[str, Any], **headers: str) -> None:
        self._phrase, self._values = phrase, values
        super().__init__(status, self.reason(load_words("en")), headers=headers or None)

    def reason(self, words: Words) -> str:
        """Returns the reason in the language of these words."""
        return words(self._phrase, **self._values)


class NotFound(_Reason):
    """There is no such page. The phrase says what is not there."""

    def __init__(self, phrase: str, **values: Any) -> None:
        super().__init__(404, phrase, values)


class NotYet(_Reason):
    """What the address leads to is still being computed. The phrase says what; the reader may ask again."""

    def __init__(self, phrase: str, **values: Any) -> None:
        super().__init__(503, phrase, values, **{"Retry-After": "2"})
