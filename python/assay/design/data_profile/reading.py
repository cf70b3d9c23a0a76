"""Reads a profile of data from its file; whatever is wrong there is said with table, column and key."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from assay.base.decoding import toml_tables
from assay.base.errors import InputError
from assay.base.format.job import (
    BytesValueForm,
    ColumnProfile,
    DateValueForm,
    DecimalValueForm,
    FanOut,
    FloatValueForm,
    JsonValueForm,
    KeyProfile,
    MomentValueForm,
    PointValueForm,
    Profile,
    ReferenceProfile,
    TableProfile,
    TextValueForm,
    TimeValueForm,
    TopValue,
    UuidValueForm,
    ValueForm,
    ValueRange,
    WholeValueForm,
)
from assay.design.data_profile.units import units
from assay.design.study import did_you_mean

FORMAT = 1
MOST_BYTES = 64 << 20
_ROW_BYTES = 200
"""Bytes of a row where the file does not say them."""
_KINDS: Mapping[str, tuple[type, tuple[str, ...]]] = {
    "whole": (WholeValueForm, ("least", "most")),
    "decimal": (DecimalValueForm, ("digits",)),
    "float": (FloatValueForm, ("digits",)),
    "date": (DateValueForm, ()),
    "moment": (MomentValueForm, ("digits",)),
    "time": (TimeValueForm, ("digits",)),
    "text": (TextValueForm, ()),
    "bytes": (BytesValueForm, ()),
    "json": (JsonValueForm, ()),
    "uuid": (UuidValueForm, ()),
    "point": (PointValueForm, ()),
}
_LARGEST = 2**64
_MOST_DIGITS = {"decimal": 30, "moment": 6, "time": 6, "float": 300}
_CREATE = re.compile(r"\s*CREATE\s+TABLE\b", re.I)
T = TypeVar("T")


@dataclass(frozen=True)
class DataProfile:
    """A profile as its file has it. `bytes` are those of tables and indexes at the source, by table; None
    where the file does not say them.
    """

    tables: tuple[TableProfile, ...]
    bytes: tuple[int | None, ...]

    def at(self, scale: float, name: str) -> Profile:
        """Returns the profile as a job has it; `name` is that of the file in messages."""
        return Profile(name=name, scale=scale, tables=list(self.tables))

    def size(self, scale: float) -> tuple[int, int]:
        """Returns the rows of all tables at a scale, and an estimate of their bytes."""
        rows_of_all = size = 0
        for table, at_source in zip(self.tables, self.bytes, strict=True):
            rows = max(1, round(table.rows * scale)) if table.grows and table.rows else table.rows
            each = _ROW_BYTES if at_source is None else at_source / max(1, table.rows)
            rows_of_all += rows
            size += round(rows * each)
        return rows_of_all, size


def read_profile(path: Path) -> DataProfile:
    """Returns the profile in a file. Raises InputError for what is wrong in it."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    if len(content) > MOST_BYTES:
        raise InputError(f"{path} is larger than {MOST_BYTES >> 20} MiB, which no profile of data is")
    try:
        raw = toml_tables(content.decode())
    except ValueError as error:
        raise InputError(f"{path}: {error}", hint="profiles are written by: assay data profile") from None
    whole = _Place(path, "", raw)
    whole.keys("format", "source", "table", "notes")
    if (found := whole.value("format", int)) != FORMAT:
        raise whole.wrong("format", found, str(FORMAT), hint="make the profile anew: assay data profile")
    tables = [
        _table(one) for one in whole.places("table", lambda raw, at: f"table {raw.get('name', at + 1)}")
    ]
    if not tables:
        raise InputError(f"{path}: holds no [[table]]", hint="make it by: assay data profile dsn:… -o FILE")
    known = [table.name for table, _ in tables]
    columns = {table.name: [one.name for one in table.columns] for table, _ in tables}
    for number, (table, _) in enumerate(tables):
        if table.name in known[:number]:
            raise InputError(f"{path}: two tables have the name {table.name}")
        _check_names(path, table, columns)
    return DataProfile(tuple(table for table, _ in tables), tuple(size for _, size in tables))


def _check_names(path: Path, table: TableProfile, columns: Mapping[str, Sequence[str]]) -> None:
    """Raises InputError for a reference or a key whose table or columns are not there."""

    def check(part: str, name: str, known: Sequence[str], kind: str) -> None:
        if name.lower() not in [one.lower() for one in known]:
            raise InputError(
                f"{path}: table {table.name}, {part}: there is no {kind} {name}{did_you_mean(name, known)}"
            )

    for reference in table.references:
        part = f"reference ({', '.join(reference.columns)})"
        check(part, reference.table, list(columns), "table")
        theirs = next(names for name, names in columns.items() if name.lower() == reference.table.lower())
        for name in reference.columns:
            check(part, name, columns[table.name], "column")
        for name in reference.to:
            check(part, name, theirs, f"column of {reference.table}")
        if len(reference.columns) != len(reference.to):
            raise InputError(f"{path}: table {table.name}, {part}, to: needs as many columns")
    for key in table.keys:
        part = f"key ({', '.join(key.columns)})"
        for name in key.columns:
            check(part, name, columns[table.name], "column")
        if len(key.distinct) != len(key.columns) - 1:
            raise InputError(
                f"{path}: table {table.name}, {part}, distinct: needs {len(key.columns) - 1} numbers, one for"
                " each beginning of the key"
            )


class _Place:
    """A table of TOML, with its name in messages."""

    def __init__(self, path: Path, name: str, raw: Mapping[str, Any]) -> None:
        self.path, self.name, self.raw = path, name, raw

    def wrong(self, key: str, found: object, expected: str, hint: str | None = None) -> InputError:
        where = f"{self.name}, {key}" if self.name else key
        return InputError(
            f"{self.path}: {where}: {_shown(found)} is not allowed; expected {expected}", hint=hint
        )

    def keys(self, *known: str) -> None:
        for key in self.raw:
            if key not in known:
                where = f"{self.name}, " if self.name else ""
                raise InputError(
                    f'{self.path}: {where}unknown key "{key}"{did_you_mean(key, known)}',
                    hint=f"keys here: {', '.join(known)}",
                )

    def value(self, key: str, kind: type[T], default: T | None = None) -> T:
        found = self.raw.get(key, default)
        names: Mapping[type, str] = {str: "a text in quotes", int: "a whole number", bool: "true or false"}
        if found is None:
            where = f"{self.name}: " if self.name else ""
            raise InputError(f'{self.path}: {where}the key "{key}" is missing; expected {names[kind]}')
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            raise self.wrong(key, found, names[kind])
        return found

    def count(self, key: str, default: int | None = None) -> int:
        found = self.value(key, int, default)
        if not 0 <= found < _LARGEST:
            raise self.wrong(key, found, "a whole number from 0 to 2^64")
        return found

    def share(self, key: str, default: float, least: float = 0.0) -> float:
        return self.share_of(key, self.raw.get(key, default), least)

    def share_of(self, key: str, found: object, least: float = 0.0, most: float = 1.0) -> float:
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not math.isfinite(found):
            raise self.wrong(key, found, "a finite number")
        if not least <= found <= most:
            raise self.wrong(key, found, f"a number from {least:g} to {most:g}")
        return float(found)

    def items(self, key: str) -> Sequence[Any]:
        found = self.raw.get(key, [])
        if not isinstance(found, list):
            raise self.wrong(key, found, "a list in brackets")
        return found

    def texts(self, key: str) -> list[str]:
        found = self.items(key)
        if not found or not all(isinstance(one, str) for one in found):
            raise self.wrong(key, self.raw.get(key), "names in quotes, in brackets")
        return list(found)

    def places(self, key: str, name: Callable[[Mapping[str, Any], int], str]) -> list[_Place]:
        """Returns the tables of a list of them."""
        found = self.items(key)
        if not all(isinstance(one, dict) for one in found):
            raise self.wrong(key, found, f"tables [[{key}]]")
        inner = f"{self.name}, " if self.name else ""
        return [_Place(self.path, f"{inner}{name(one, at)}", one) for at, one in enumerate(found)]

    def tuples(self, key: str, length: int, form: str) -> list[Sequence[Any]]:
        return [self.tuple_of(key, one, length, form) for one in self.items(key)]

    def tuple_of(self, key: str, one: object, length: int, form: str) -> Sequence[Any]:
        if not isinstance(one, list) or len(one) != length:
            raise self.wrong(key, one, f"lists of {form}")
        return one


def _table(place: _Place) -> tuple[TableProfile, int | None]:
    place.keys("name", "rows", "read", "bytes", "grows", "create", "column", "reference", "key")
    create = place.value("create", str)
    if not _CREATE.match(create):
        raise place.wrong("create", create[:40], "the statement CREATE TABLE …")
    columns = [
        _column(one) for one in place.places("column", lambda raw, at: f"column {raw.get('name', at + 1)}")
    ]
    names = [one.name for one in columns]
    if len(set(map(str.lower, names))) < len(names) or not names:
        raise InputError(f"{place.path}: {place.name}: needs [[table.column]], each with a name of its own")
    table = TableProfile(
        name=place.value("name", str),
        create=create,
        rows=place.count("rows"),
        grows=place.value("grows", bool, True),
        columns=columns,
        references=[
            _reference(one) for one in place.places("reference", lambda raw, at: f"reference {at + 1}")
        ],
        keys=[_key(one) for one in place.places("key", lambda raw, at: f"key {at + 1}")],
    )
    return table, place.count("bytes") if "bytes" in place.raw else None


def _column(place: _Place) -> ColumnProfile:
    place.keys("name", "form", "nulls", "order", "grows", "ranges", "top", "compressed")
    form = _form(place)
    return ColumnProfile(
        name=place.value("name", str),
        form=form,
        nulls=place.share("nulls", 0.0),
        order=place.share("order", 0.0, -1.0),
        grows=place.value("grows", bool, False),
        ranges=[
            _range(place, one, form)
            for one in place.tuples("ranges", 4, "from, to, share of rows, different values")
        ],
        top=[_top(one) for one in place.places("top", lambda _, at: f"top {at + 1}")],
        compressed=place.share("compressed", 1.0),
    )


def _form(place: _Place) -> ValueForm:
    raw = place.raw.get("form")
    if not isinstance(raw, dict):
        raise place.wrong("form", raw, 'a form, as in {kind = "text"}')
    inner = _Place(place.path, f"{place.name}, form", raw)
    kind = inner.value("kind", str)
    if kind not in _KINDS:
        known = ", ".join(_KINDS)
        raise InputError(
            f'{place.path}: {inner.name}, kind: "{kind}" is not allowed{did_you_mean(kind, _KINDS)}',
            hint=f"kinds: {known}",
        )
    made, needs = _KINDS[kind]
    inner.keys("kind", *needs)
    given = {key: inner.value(key, int) for key in needs}
    if (digits := given.get("digits")) is not None:
        least = -_MOST_DIGITS[kind] if kind == "float" else 0
        if not least <= digits <= _MOST_DIGITS[kind]:
            raise inner.wrong("digits", digits, f"a whole number from {least} to {_MOST_DIGITS[kind]}")
    if kind == "whole" and not -_LARGEST < given["least"] <= given["most"] < _LARGEST:
        raise inner.wrong("most", given["most"], "a whole number that is not below least")
    form: ValueForm = made(**given)
    return form


def _range(place: _Place, one: Sequence[Any], form: ValueForm) -> ValueRange:
    ends = []
    for value in one[:2]:
        if isinstance(value, float) and not math.isfinite(value):
            raise place.wrong("ranges", value, "a finite number")
        try:
            ends.append(units(form, value))
        except ValueError as error:
            raise place.wrong("ranges", value, str(error).removeprefix("expected ")) from None
    if not -_LARGEST < ends[0] <= ends[1] < _LARGEST:
        raise place.wrong("ranges", one[1], f"an end that is not below {one[0]}, within 64 bits")
    if not isinstance(one[3], int) or isinstance(one[3], bool) or not 0 < one[3] < _LARGEST:
        raise place.wrong("ranges", one[3], "a number of different values from 1")
    share = place.share_of("ranges", one[2])
    return ValueRange(from_=ends[0], to=ends[1], share=share, distinct=one[3])


def _top(place: _Place) -> TopValue:
    place.keys("share", "length", "hash", "value")
    text = place.value("hash", str, "")
    try:
        number = int(text or "0", 16)
    except ValueError:
        number = -1
    if not 0 <= number < _LARGEST:
        raise place.wrong("hash", text, "16 hexadecimal digits in quotes")
    return TopValue(
        share=place.share("share", 0.0),
        length=place.count("length"),
        hash=number,
        value=place.value("value", str) if "value" in place.raw else None,
    )


def _reference(place: _Place) -> ReferenceProfile:
    place.keys("columns", "table", "to", "fan_out")
    return ReferenceProfile(
        columns=place.texts("columns"),
        table=place.value("table", str),
        to=place.texts("to"),
        fan_out=[_fan_out(place, "fan_out", one) for one in place.items("fan_out")],
    )


def _key(place: _Place) -> KeyProfile:
    place.keys("columns", "distinct", "fan_outs")
    distinct = place.items("distinct")
    for one in distinct:
        if not isinstance(one, int) or isinstance(one, bool) or not 0 <= one < _LARGEST:
            raise place.wrong("distinct", one, "whole numbers from 0")
    fan_outs = []
    for one in place.items("fan_outs"):
        if not isinstance(one, list):
            raise place.wrong("fan_outs", one, "lists of fan-outs")
        fan_outs.append([_fan_out(place, "fan_outs", each) for each in one])
    return KeyProfile(columns=place.texts("columns"), distinct=list(distinct), fan_outs=fan_outs)


def _fan_out(place: _Place, key: str, one: object) -> FanOut:
    first, last, mean, share = place.tuple_of(key, one, 4, "from, to, mean, share")
    for count in (first, last):
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < _LARGEST:
            raise place.wrong(key, count, "whole numbers from 0 as from and to")
    if first > last:
        raise place.wrong(key, last, f"an end that is not below {first}")
    return FanOut(
        from_=first,
        to=last,
        mean=place.share_of(key, mean, float(first), float(last)),
        share=place.share_of(key, share),
    )


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
