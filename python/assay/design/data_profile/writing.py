"""Writes a profile of data as a text that people can read and change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from assay.base.format.job import ColumnProfile, FanOut, KeyProfile, ReferenceProfile, TableProfile
from assay.design.data_profile.reading import FORMAT
from assay.design.data_profile.units import readable

_ABOUT = """\
# A profile of data: statistics of tables, of which rows are generated that are like theirs:
#   [dataset]
#   use = "generate:THIS FILE"
#   scale = 10
# It holds no value of the source but what stands in the statements CREATE TABLE (names, DEFAULT, ENUM), and
# the ends of ranges of numbers and dates, which are rounded. The guide "Data at scale" explains the lines.
"""


@dataclass(frozen=True)
class Heading:
    """What a profile says of its source: the server, how many rows were read and how many bytes tables have,
    by table, and sentences about what it lacks.
    """

    source: str
    read: Mapping[str, int]
    bytes: Mapping[str, int]
    notes: Sequence[str]


def profile_text(tables: Iterable[TableProfile], heading: Heading) -> str:
    """Returns the text of the file."""
    lines = [_ABOUT, f"format = {FORMAT}", f"source = {_text(heading.source)}"]
    lines += [f"notes = [{_lines(map(_text, heading.notes))}]"] if heading.notes else []
    for table in tables:
        lines += ["", "[[table]]", f"name = {_text(table.name)}", f"rows = {table.rows}"]
        if table.name in heading.read:
            lines.append(f"read = {heading.read[table.name]}   # rows that these figures come from")
        if table.name in heading.bytes:
            lines.append(f"bytes = {heading.bytes[table.name]}")
        lines += [] if table.grows else ["grows = false"]
        lines.append(f"create = {_long(table.create)}")
        for column in table.columns:
            lines += _column(column)
        for reference in table.references:
            lines += _reference(reference)
        for key in table.keys:
            lines += _key(key)
    return "\n".join(lines) + "\n"


def _column(column: ColumnProfile) -> list[str]:
    form = msgspec.to_builtins(column.form)
    shown = ", ".join(f"{key} = {_value(value)}" for key, value in form.items())
    lines = ["", "[[table.column]]", f"name = {_text(column.name)}", f"form = {{{shown}}}"]
    lines += [f"nulls = {_value(column.nulls)}"] if column.nulls else []
    lines += [f"order = {_value(column.order)}"] if column.order else []
    lines += ["grows = true"] if column.grows else []
    lines += [f"compressed = {_value(column.compressed)}"] if column.compressed != 1.0 else []
    if column.ranges:
        is_text = form["kind"] in ("text", "bytes", "json", "uuid", "point")
        what = "lengths from, to" if is_text else "from, to"
        lines.append(f"ranges = [   # {what}, share of rows, different values")
        for one in column.ranges:
            ends = (
                (one.from_, one.to)
                if is_text
                else (readable(column.form, one.from_), readable(column.form, one.to))
            )
            lines.append(f"  [{', '.join(map(_value, (*ends, one.share, one.distinct)))}],")
        lines.append("]")
    if column.top:
        lines.append("top = [   # frequent values")
        for top in column.top:
            which = (
                f"hash = {_text(f'{top.hash:016x}')}" if top.value is None else f"value = {_text(top.value)}"
            )
            lines.append(f"  {{share = {_value(top.share)}, length = {top.length}, {which}}},")
        lines.append("]")
    return lines


def _reference(reference: ReferenceProfile) -> list[str]:
    return [
        "",
        "[[table.reference]]",
        f"columns = {_names(reference.columns)}",
        f"table = {_text(reference.table)}",
        f"to = {_names(reference.to)}",
        "fan_out = [   # rows here of a row there: from, to, mean, share of the rows there",
        *(f"  {_fan_out(one)}," for one in reference.fan_out),
        "]",
    ]


def _key(key: KeyProfile) -> list[str]:
    lines = ["", "[[table.key]]", f"columns = {_names(key.columns)}"]
    if key.distinct:
        lines.append(f"distinct = {key.distinct}   # of the first column, the first two, …")
        lines.append("fan_outs = [")
        lines += [f"  [{', '.join(map(_fan_out, one))}]," for one in key.fan_outs]
        lines.append("]")
    return lines


def _fan_out(one: FanOut) -> str:
    return f"[{one.from_}, {one.to}, {_value(one.mean)}, {_value(one.share)}]"


def _names(names: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, names))}]"


def _lines(texts: Iterable[str]) -> str:
    return "\n  " + ",\n  ".join(texts) + ",\n"


def _value(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    return repr(value) if isinstance(value, float) else str(value)


def _text(text: str) -> str:
    # A basic string of TOML is one of JSON, but for the control character that JSON leaves as it is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _long(text: str) -> str:
    return f"'''\n{text}'''" if _plain(text) and "'''" not in text else _text(text)


def _plain(text: str) -> bool:
    return all(letter.isprintable() or letter in "\n\t" for letter in text)
