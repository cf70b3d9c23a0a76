"""Reads reports of pt-query-digest, as text and as JSON: an example of each kind of statement, with its count
and time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.base.errors import InputError
from assay.experiments.own.reading import Digest
from assay.experiments.own.whole_file import WholeFile

_MOST_BYTES = 256 << 20
_ITEM = re.compile(r"^# (?:Query|Item) \d+: .*ID 0x[0-9A-F]+ at byte", re.M)
_JSON = re.compile(r'\A\s*\{.*"query_count"\s*:', re.S)
_BLOCK = re.compile(r"^# (?:Query|Item) (\d+): ", re.M)
_COUNT = re.compile(r"^# Count +\S+ +(\S+)", re.M)
_TIME = re.compile(r"^# Exec time +\S+ +(\S+)", re.M)
_DATABASE = re.compile(r"^# Databases +([^\s(]+)", re.M)
_REST = re.compile(r"^# MISC 0xMISC +(\S+) +\S+ +(\d+)", re.M)
_QUERY = re.compile(r"^(?!#)(\S.*?)\\G *$", re.M | re.S)
_QUERY_WITHOUT_END = re.compile(r"^(?!#)(\S.*?)\s*(?=^#|\Z)", re.M | re.S)
"""The example where the report was made with --no-vertical-format."""
_EXECUTED = re.compile(r"EXECUTE\s+(?=(?:SELECT|INSERT|REPLACE|UPDATE|DELETE|CALL|WITH)\b)", re.I)
"""What the tool writes before a prepared statement of a capture of packets."""
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)([a-zA-Z]*)")
_THOUSANDS: Mapping[str, float] = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_SECONDS: Mapping[str, float] = {"": 1, "us": 1e-6, "ms": 1e-3, "s": 1}


def report_of(file: WholeFile) -> list[Digest] | None:
    """Returns the kinds of statements of a report, each with its example; None for any other file. The last
    stands for those that the report counts without an example. Raises InputError.
    """
    is_json = _JSON.match(file.head) is not None
    if not is_json and _ITEM.search(file.head) is None:
        return None
    text = file.text("a report of pt-query-digest", _MOST_BYTES)
    return list(_of_json(file.path, text) if is_json else _of_text(file.path, text))


def _of_text(path: Path, text: str) -> Iterator[Digest]:
    begins = [*_BLOCK.finditer(text)]
    ends = [*(found.start() for found in begins[1:]), len(text)]
    for found, end in zip(begins, ends, strict=True):
        block = text[found.start() : end]
        count, seconds = _COUNT.search(block), _TIME.search(block)
        if count is None or seconds is None:
            raise InputError(
                f"{path}: query {found[1]} lacks its line # Count or # Exec time, and so its weight"
            )
        query = _QUERY.search(block) or _QUERY_WITHOUT_END.search(block)
        database = _DATABASE.search(block)
        yield Digest(
            None if query is None else _EXECUTED.sub("", query[1], count=1),
            None if database is None or database[1].endswith("...") else database[1],
            round(_number(path, count[1], _THOUSANDS)),
            _number(path, seconds[1], _SECONDS),
        )
    if rest := _REST.search(text):
        yield Digest(None, None, int(rest[2]), _number(path, rest[1], _SECONDS))


def _number(path: Path, text: str, units: Mapping[str, float]) -> float:
    found = _NUMBER.fullmatch(text)
    if found is None or found[2] not in units:
        raise InputError(f"{path}: expected a number as pt-query-digest writes it, not {text!r}")
    return float(found[1]) * units[found[2]]


def _of_json(path: Path, text: str) -> Iterator[Digest]:
    try:
        classes = json.loads(text)["classes"]
        for one in classes:
            metrics: dict[str, Any] = one.get("metrics", {})
            query = one.get("example", {}).get("query")
            database = metrics.get("db", {}).get("value")
            seconds = float(metrics["Query_time"]["sum"])
            sent = query and _EXECUTED.sub("", str(query), count=1)
            yield Digest(sent, database and str(database), int(one["query_count"]), seconds)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: cannot be read as a report of pt-query-digest: {error}") from error
