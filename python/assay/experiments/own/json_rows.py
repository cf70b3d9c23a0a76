"""Reads rows out of JSON: a list of objects, an object after the other, and what services wrap either in."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.base.errors import InputError
from assay.experiments.own.unfit import INSTEAD

_DEEPEST = 4  # objects within each other whose names are taken
_NAME = re.compile(r'"([^"\\\s]+)"\s*:')
_BETWEEN = re.compile(r"[\s\x1e]*")  # a record separator is before each object of a JSON text sequence
_OF_AZURE = re.compile(r"(?<=\w)_[SDGT]$")
"""What Log Analytics puts behind a name: the type of its values."""
_PATH = re.compile(r"[\w@-]+(?:\.[\w-]+)+")
_EVENTS = "logEvents"
"""Where CloudWatch has the events of an object, of which a delivered file holds several."""
_LOKI = frozenset(("STREAM", "VALUES"))


def column_name(text: str) -> str:
    """Returns the name of a column in capitals: the last of a path, without what services add."""
    name = text.strip().removeprefix("@").upper()
    return _OF_AZURE.sub("", name.rpartition(".")[2] if _PATH.fullmatch(name) else name)


def json_names(head: str) -> frozenset[str]:
    """Returns the names that the beginning of a file has, and those under which its rows have what Loki lists
    without a name.
    """
    found = frozenset(map(column_name, _NAME.findall(head)))
    return found | {"LINE", "TIMESTAMP"} if found >= _LOKI else found


def json_rows(path: Path, text: str, left_out: Counter[str]) -> list[dict[str, Any]]:
    """Returns the rows by names in capitals; counts what is in none. Raises InputError for no JSON."""
    several = list(_documents(path, text, left_out))
    found = several[0] if len(several) == 1 else [row for one in several for row in _events(one)]
    rows = _list_in(found)
    # phpMyAdmin writes the rows of a table into an object beside those that describe it.
    tables = [one["data"] for one in rows if isinstance(one, dict) and isinstance(one.get("data"), list)]
    rows = [row for table in tables for row in table] if tables else rows
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise InputError(f"{path}: row {number}: expected an object with the columns of a row")
    return [_flat(one) for row in rows for one in _of_loki(row)]


def _documents(path: Path, text: str, left_out: Counter[str]) -> Iterator[Any]:
    """Yields each value of a text. A line that is none, among others that are, costs no other; the last may
    be cut, as a file is that is still written.
    """
    decoder = json.JSONDecoder()
    at = found = 0
    while (at := _end(text, at)) < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            end = text.find("\n", at)
            if not found or (end >= 0 and getattr(error, "pos", at) > end):
                number = text.count("\n", 0, getattr(error, "pos", at)) + 1
                said = getattr(error, "msg", error)
                raise InputError(f"{path}:{number}: is not whole JSON: {said}") from error
            left_out[INSTEAD["cut"] if end < 0 else "lines that are not JSON"] += 1
            at = len(text) if end < 0 else end
            continue
        found += 1
        yield value


def _end(text: str, at: int) -> int:
    """Returns where what parts two values ends."""
    between = _BETWEEN.match(text, at)
    return at if between is None else between.end()


def _events(one: Any) -> list[Any]:
    events = one.get(_EVENTS) if isinstance(one, dict) else None
    return events if isinstance(events, list) else [one]


def _list_in(found: Any, depth: int = 0) -> list[Any]:
    """Returns the list that holds the rows: what is there, or the first list of objects within."""
    if isinstance(found, list):
        return found
    if isinstance(found, dict) and depth < _DEEPEST:
        for value in found.values():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                return value
            if isinstance(value, dict) and (inner := _list_in(value, depth + 1)) != [value]:
                return inner
    return [found]


def _of_loki(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yields the lines of a stream of Loki, which lists each with its time and without names; any other row
    as it is.
    """
    stream, values = row.get("stream"), row.get("values")
    if not isinstance(stream, dict) or not isinstance(values, list):
        yield row
        return
    for value in values:
        time, said = value[:2] if isinstance(value, list) and len(value) > 1 else (None, None)
        yield {"timestamp": time, "line": said, "stream": json.dumps(stream)}


def _flat(row: Mapping[str, Any], depth: int = 0) -> dict[str, Any]:
    """Returns a row with what objects in it hold, by names in capitals; outer names come first."""
    found = {column_name(str(name)): value for name, value in row.items() if not isinstance(value, dict)}
    for value in row.values():
        if isinstance(value, dict) and depth < _DEEPEST:
            found = {**_flat(value, depth + 1), **found}
    return found
