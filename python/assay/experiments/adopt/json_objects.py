"""The JSON objects in a text, with whatever stands around and between them, and the lines of each."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from assay.base.decoding import why_unreadable
from assay.base.errors import InputError
from assay.base.printable import line as line_of
from assay.experiments.adopt.lines import Line, Text

_BEGIN = re.compile(r"^[ \t]*[\[{]|(?<=\})\{", re.MULTILINE)


class Number(str):
    """A number of the JSON as its text."""

    __slots__ = ()


@dataclass(frozen=True)
class JsonObject:
    """One object with its lines, or the error of one that cannot be read."""

    lines: list[Line]
    found: Mapping[str, Any] | InputError


def json_objects(text: Text) -> list[JsonObject]:
    """Returns the objects that begin a line, in order; of a list that does, its objects."""
    whole = text.whole
    starts = [0, *accumulate(len(line) for line in whole.splitlines(keepends=True))]
    decoder = json.JSONDecoder(parse_float=Number, parse_int=Number, object_pairs_hook=_without_doubles)
    found: list[JsonObject] = []
    at = 0
    while begin := _BEGIN.search(whole, at):
        first = bisect_right(starts, begin.end() - 1) - 1
        try:
            value, at = decoder.raw_decode(whole, begin.end() - 1)
        except (ValueError, RecursionError) as error:
            at = begin.end()
            if begin[0][-1] == "{" and _is_json(whole, at):
                following = re.compile(r"^\{", re.MULTILINE).search(whole, at)
                at = following.start() if following else len(whole)
                lines = text.lines[first : max(bisect_right(starts, at - 1), first + 1)]
                found.append(JsonObject(lines, _unread(text.file, first + 1, error)))
            continue
        lines = text.lines[first : bisect_right(starts, at - 1)]
        values = value if isinstance(value, list) else [value]
        found += [JsonObject(list(lines), one) for one in values if isinstance(one, dict)]
    return found


def _is_json(whole: str, at: int) -> bool:
    """Returns whether a brace begins an object: a key or the end of the line follows it."""
    return re.compile(r'[ \t]*(?:"|\n|\Z)').match(whole, at) is not None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object. Raises ValueError where it has a number, a list or an object twice under one key: it
    is not known which counts. Tools repeat options, which are texts.
    """
    found: dict[str, Any] = {}
    for key, value in pairs:
        is_option = isinstance(value, str) and not isinstance(value, Number)
        if not is_option and key in found and found[key] != value:
            raise ValueError(f"an object in it has two different values of {line_of(key, 60)}")
        found[key] = value
    return found


def _unread(file: str, line: int, error: Exception) -> InputError:
    if isinstance(error, json.JSONDecodeError):
        return InputError(
            f"{file}:{error.lineno}: expected the rest of the JSON object: {error.msg}"
            f" (column {error.colno})",
            hint="give the whole output of a run that ended by itself",
        )
    return InputError(f"{file}:{line}: this JSON object cannot be read: {why_unreadable(error)}")
