"""Prints the results of a study on the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from assay.front.terminal import say_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from assay.results.advice import ServerAdvice
    from assay.results.verdict import FirstLook, LedgerShift, Results


def say_results(
    results: Results, console: Console, *, as_json: bool, advice: Sequence[ServerAdvice] = ()
) -> None:
    """Prints results: in words on `console`, or as one JSON object on standard output."""
    if as_json:
        say_json(as_object(results))
        return
    from assay.reporting.report import print_summary

    print_summary(results, console, advice=advice)


def as_object(results: Results | LedgerShift | FirstLook) -> Any:
    """Returns results, or a part of them, as plain objects for JSON."""
    import msgspec

    return json.loads(msgspec.json.encode(results))
