"""The JSON objects in a text, with whatever stands around and between them, and the lines of each."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from assay.adopt.lines import Line, Text
from assay.errors import InputError

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
    decoder = json.JSONDecoder(parse_float=Number, parse_int=Number)
    found: list[JsonObject] = []
    at = 0
    while begin := _BEGIN.search(whole, at):
        first = bisect_right(starts, begin.end() - 1) - 1
        try:
            value, at = decoder.raw_decode(whole, begin.end() - 1)
        except (json.JSONDecodeError, RecursionError) as error:
            at = begin.end()
            if begin[0][-1] == "{" and isinstance(error, json.JSONDecodeError) and _is_json(whole, at):
                following = re.compile(r"^\{", re.MULTILINE).search(whole, at)
                at = following.start() if following else len(whole)
                lines = text.lines[first : max(bisect_right(starts, at - 1), first + 1)]
                found.append(JsonObject(lines, _cut(text.file, error)))
            continue
        lines = text.lines[first : bisect_right(starts, at - 1)]
        values = value if isinstance(value, list) else [value]
        found += [JsonObject(list(lines), one) for one in values if isinstance(one, dict)]
    return found


def _is_json(whole: str, at: int) -> bool:
    """Returns whether a brace begins an object: a key or the end of the line follows it."""
    return re.compile(r'[ \t]*(?:"|\n|\Z)').match(whole, at) is not None


def _cut(file: str, error: json.JSONDecodeError) -> InputError:
    return InputError(
        f"{file}:{error.lineno}: expected the rest of the JSON object: {error.msg} (column {error.colno})",
        hint="give the whole output of a run that ended by itself",
    )
