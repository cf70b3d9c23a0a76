"""Writes drawn units as a file of statements, and the values that were seen as files beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.durable import write_whole
from assay.base.errors import ConflictError, InputError
from assay.base.printable import line
from assay.experiments.own.drawing import DrawnUnit
from assay.experiments.own.named_tables import tables_in
from assay.experiments.own.naming import unused
from assay.experiments.own.places import Place
from assay.experiments.own.pools import field_of
from assay.experiments.own.statements import Part, Shape, example, expanded, written

FOLDER = "seen"
_LET = "-- @let "
_EXAMPLE = 300
_ROWS_MOST = 100
_WIDTH = 100
_BREAKS = (
    "FROM",
    "WHERE",
    "GROUP",
    "ORDER",
    "HAVING",
    "LIMIT",
    "SET",
    "VALUES",
    "LEFT",
    "INNER",
    "JOIN",
    "UNION",
)


@dataclass
class Pages:
    """A file of statements, and the files beside it by their names."""

    text: str
    files: dict[str, str] = field(default_factory=dict)
    data: str | None = None
    """The file that makes the tables, where the file names one that is there already."""

    def write(self, path: Path, *, replace: bool) -> None:
        """Writes all files. Raises ConflictError where one exists and must not be replaced."""
        files = {path.parent / name: text for name, text in self.files.items()} | {path: self.text}
        if not replace and (there := next((one for one in files if one.exists()), None)) is not None:
            raise ConflictError(
                f"{there} exists already; nothing was written",
                hint="give another -o, or --force to replace it",
            )
        try:
            for file, text in files.items():
                file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(file, text.encode("utf-8", "replace"))
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def pages(
    units: Sequence[DrawnUnit],
    head: Sequence[str],
    stem: str,
    *,
    totals: tuple[int, float],
    with_values: bool,
    database: str | None,
) -> Pages:
    """Returns the file of some units. `stem` is in the names of the files of values; `totals`: executions and
    seconds of all that was read.
    """
    made = Pages("")
    blocks = ["\n".join(f"-- {one}" if one else "--" for one in head)]
    taken: set[str] = set()
    for unit in units:
        # The second pool of one unit may have the name of another unit.
        files = {pool.name: f"{FOLDER}/{stem}-{unused(pool.name, taken)}.csv" for pool in unit.pools}
        for pool in unit.pools:
            rows = [
                ",".join(field_of(value, place) for value, place in zip(row, pool.places, strict=True))
                for row in pool.rows
            ]
            made.files[files[pool.name]] = "\n".join([",".join(pool.columns), *rows]) + "\n"
        blocks.append("\n".join(_block(unit, files, totals, database, with_values=with_values)))
    made.text = "\n\n".join(blocks) + "\n"
    return made


def _block(
    drawn: DrawnUnit,
    files: Mapping[str, str],
    totals: tuple[int, float],
    database: str | None,
    *,
    with_values: bool,
) -> list[str]:
    unit = drawn.unit
    executions, seconds = totals
    share = f"{100 * unit.seconds / seconds:.1f} % of the time, " if seconds else ""
    if not unit.kept:
        said = ["-- From the tables alone."]
    else:
        said = [f"-- {share}{unit.count:,} of {executions:,} executions; digest {_digests(unit.shapes)}"]
    known = all(
        kind != "unknown" for one in unit.kept[:1] for several in one for kind, _ in several[0].values
    )
    if with_values and unit.kept and known:
        first = [
            example(shape, one[0].values, one[0].counts)
            for shape, one in zip(unit.shapes, unit.kept[0], strict=True)
        ]
        said.append(f"-- such as: {_cut(line('; '.join(first)))}")
    said += [f"-- {remark}." for remark in [*drawn.remarks, *_cut_lists(drawn)]]
    said.append(f"-- @transaction {drawn.name} weight={max(unit.count, 1)}")
    body: list[str] = []
    once = [place for several in drawn.places for place in several if place.once]
    body += _lets(drawn, files, once)
    if unit.is_transaction:
        body.append("BEGIN;")
    for number, shape in enumerate(unit.shapes):
        loop = next((one for one in unit.loops if one.start <= number < one.start + one.length), None)
        if loop is not None and number == loop.start:
            lowest, highest = unit.turns.get(loop, [1, 1])
            body.append(f"-- @repeat {lowest}..{highest}")
            inside = [
                place
                for several in drawn.places
                for place in several
                if place.loop == loop and place.group is None
            ]
            body += _lets(drawn, files, inside)
        body += _statement(drawn, number, shape, files, database)
        if loop is not None and number == loop.start + loop.length - 1:
            body.append("-- @end")
    if unit.is_transaction:
        body.append("COMMIT;" if unit.commits else "ROLLBACK;")
    return [*said, *body, "-- @end"]


def _digests(shapes: Sequence[Shape]) -> str:
    first = [shape.digest for shape in shapes[:3]]
    return ", ".join(first) + (", …" if len(shapes) > 3 else "")


def _cut(text: str) -> str:
    return text if len(text) <= _EXAMPLE else f"{text[:_EXAMPLE]}…"


def _lets(drawn: DrawnUnit, files: Mapping[str, str], places: Sequence[Place], suffix: str = "") -> list[str]:
    """Returns the lines that draw the values of places: alone, or together from a file."""
    lines = []
    for place in places:
        if place.draw is not None:
            joined = ", ".join(f"{one.name}{suffix}" for one in (place, *place.together))
            left = f"({joined})" if place.together else joined
            lines.append(f"{_LET}{left} = {place.draw}")
    for pool in drawn.pools:
        if not any(place in pool.places for place in places):
            continue
        names = [f"{place.name}{suffix}" for place in pool.places]
        left = names[0] if len(names) == 1 else f"({', '.join(names)})"
        lines.append(f"{_LET}{left} = csv({files[pool.name]}: {', '.join(pool.columns)})")
    return lines


def _statement(
    drawn: DrawnUnit, number: int, shape: Shape, files: Mapping[str, str], database: str | None
) -> list[str]:
    places = drawn.places[number]
    rows = rows_of(drawn, number)
    lines: list[str] = []
    lists = [place for place in places if place.is_list]
    lines += _lets(drawn, files, lists)
    grouped = [place for place in places if place.group is not None and not place.is_list]
    for turn in range(max(rows, default=0) if grouped else 0):
        here = [place for place in grouped if turn < rows[place.group or 0]]
        lets = [let.removeprefix(_LET) for let in _lets(drawn, files, here, _suffix(turn))]
        lines += [f"{_LET}{', '.join(lets)}"] if lets else []
    parts, order = expanded(shape, rows)
    texts = [_filled(places, slot, turn, rows) for slot, turn in order]
    statement = written(_without_database(parts, shape, database), texts)
    saved = [f"-- @save {drawn.saves[number]} = insert_id"] if number in drawn.saves else []
    return [*lines, f"{_broken(statement)};", *saved]


def rows_of(drawn: DrawnUnit, number: int) -> list[int]:
    """Returns how many rows, or values, each group of a statement is written with: the middle of all."""
    return [min(count, _ROWS_MOST) for count in _middle_rows(drawn, number)]


def _cut_lists(drawn: DrawnUnit) -> list[str]:
    """Returns what is to be said of lists and rows that are longer in the source than in the file."""
    middle = [count for number in range(len(drawn.unit.shapes)) for count in _middle_rows(drawn, number)]
    longest = max(middle, default=0)
    if longest <= _ROWS_MOST:
        return []
    return [f"A list or a new row's repeats are {longest:,} in the source, and {_ROWS_MOST} here"]


def _middle_rows(drawn: DrawnUnit, number: int) -> list[int]:
    shape = drawn.unit.shapes[number]
    groups = sum(part.kind in ("rows", "list") for part in shape.parts)
    counts = [
        [one.counts[group] for execution in drawn.unit.kept for one in execution[number]]
        for group in range(groups)
    ]
    return [sorted(several)[(len(several) - 1) // 2] if several else 1 for several in counts]


def _suffix(turn: int) -> str:
    return "" if turn == 0 else f"_row{turn + 1}"


def _filled(places: Sequence[Place], slot: int, turn: int, rows: Sequence[int]) -> str:
    place = places[slot]
    name = f":{place.name}"
    if place.is_list:
        count = rows[place.group or 0]
        return place.text.format() if not place.name else name if count == 1 else f"{name}*{count}"
    if place.group is not None:
        name += _suffix(turn)
    first = f":{places[slot - 1].name}{_suffix(turn) if place.group is not None else ''}" if slot else ""
    return place.text.format(name, first=first)


def _without_database(parts: list[Part], shape: Shape, database: str | None) -> list[Part]:
    """Returns parts without the name of the file's own database in front of tables."""
    if database is None or any(name == database for _, name in tables_in(shape)):
        return parts
    lower = database.lower()
    kept: list[Part] = []
    at = 0
    while at < len(parts):
        named = (
            (parts[at].name or "").lower() == lower and at + 2 < len(parts) and parts[at + 1].is_symbol(".")
        )
        if named and parts[at + 2].name is not None and not (at and parts[at - 1].is_symbol(".")):
            following = parts[at + 2]
            kept.append(Part(following.kind, following.text, parts[at].spaced))
            at += 3
            continue
        kept.append(parts[at])
        at += 1
    return kept


def _broken(statement: str) -> str:
    """Returns a long statement over several lines, cut before the words that begin a clause."""
    if len(statement) <= _WIDTH or "\n" in statement:
        return statement
    lines, words = [""], statement.split(" ")
    quote = ""
    for word in words:
        starts = not quote and word.upper() in _BREAKS and len(lines[-1]) > 30
        if starts:
            lines.append(f"  {word}")
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
        for letter in word:
            if quote:
                quote = "" if letter == quote else quote
            elif letter in "'\"`":
                quote = letter
    return "\n".join(lines)
