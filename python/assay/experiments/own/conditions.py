"""Reads what CHECK conditions say of the values of one column, as far as a draw can heed it: ranges, lists,
lengths, JSON (MySQL manual, "CHECK Constraints").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from assay.experiments.own.statements import Part

if TYPE_CHECKING:
    from assay.experiments.own.schema import Column

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_LENGTHS = ("LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH", "OCTET_LENGTH")
_TIMES = ("date", "datetime", "timestamp")


@dataclass(frozen=True)
class End:
    """The least or the largest value, a number or the text of a time; `outside`: it is none of the values."""

    value: str
    outside: bool = False

    @property
    def number(self) -> Decimal | None:
        try:
            return Decimal(self.value)
        except InvalidOperation:
            return None


@dataclass(frozen=True)
class Limits:
    """What the values of a column are. `values` are all of them, where a condition lists them."""

    least: End | None = None
    most: End | None = None
    values: tuple[str, ...] | None = None
    shortest: int = 0
    longest: int | None = None
    is_json: bool = False

    def and_also(self, other: Limits) -> Limits:
        """Returns what holds where both hold."""
        ends = [one for one in (self.longest, other.longest) if one is not None]
        values = other.values if self.values is None else self.values
        if self.values is not None and other.values is not None:
            values = tuple(one for one in self.values if one in other.values)
        return Limits(
            _tighter(self.least, other.least, 1),
            _tighter(self.most, other.most, -1),
            values,
            max(self.shortest, other.shortest),
            min(ends, default=None),
            self.is_json or other.is_json,
        )

    def within(
        self, low: Decimal, high: Decimal, step: Decimal, top: Decimal
    ) -> tuple[Decimal, Decimal] | None:
        """Returns the ends of a draw of numbers that are `step` apart, which goes from `low` to `high` where
        nothing limits it, and to `top` at most; None where the limits leave no number.
        """
        span = high - low
        if self.least is not None and (least := self.least.number) is not None:
            low = -(-least // step) * step
            low += step * (self.least.outside and low == least)
            high = max(high, min(low + span, top))
        if self.most is not None and (most := self.most.number) is not None:
            high = (most // step) * step
            high -= step * (self.most.outside and high == most)
            low = low if self.least is not None or low <= high else high - span
        return (low, high) if low <= high else None


NO_LIMITS = Limits()


def _tighter(one: End | None, other: End | None, sign: int) -> End | None:
    if one is None or other is None:
        return one or other
    first, second = one.number, other.number
    if first is None or second is None:
        above = (one.value > other.value) == (sign > 0)
        return one if above and one.value != other.value else other
    if first == second:
        return replace(one, outside=one.outside or other.outside)
    return one if (first - second) * sign > 0 else other


def without_conditions(parts: Sequence[Part]) -> tuple[list[Part], list[Sequence[Part]]]:
    """Returns a definition without its CHECK conditions, and those that are enforced."""
    rest: list[Part] = []
    found: list[Sequence[Part]] = []
    at = 0
    while at < len(parts):
        if not parts[at].is_word("CHECK") or at + 1 == len(parts) or not parts[at + 1].is_symbol("("):
            rest.append(parts[at])
            at += 1
            continue
        end = _closing(parts, at + 1)
        after = " ".join(part.text.upper() for part in parts[end + 1 : end + 3])
        if not after.startswith("NOT ENFORCED") and "NOT ENFORCED" not in after.split("*/")[0]:
            found.append(parts[at + 2 : end])
        at = end + 1
    return rest, found


def _closing(parts: Sequence[Part], at: int) -> int:
    """Returns the place of the parenthesis that closes the one at a place."""
    depth = 0
    for place in range(at, len(parts)):
        depth += parts[place].is_symbol("(") - parts[place].is_symbol(")")
        if depth == 0:
            return place
    return len(parts)


def limits_of(condition: Sequence[Part], columns: Mapping[str, Column]) -> dict[str, Limits] | None:
    """Returns what a condition says of columns, by names in small letters; None where a draw cannot heed it.
    One of several that are joined by OR is enough.
    """
    for one in _split(condition, "OR"):
        found: dict[str, Limits] = {}
        for term in _split(one, "AND"):
            said = _of_term(term, columns)
            if said is None:
                break
            for name, limits in said.items():
                found[name] = found.get(name, Limits()).and_also(limits)
        else:
            return found
    return None


def _split(parts: Sequence[Part], word: str) -> Iterator[Sequence[Part]]:
    """Yields what a word parts, outside of parentheses; the AND of a BETWEEN parts nothing."""
    depth = begun = 0
    between = False
    for at, part in enumerate(parts):
        depth += part.is_symbol("(") - part.is_symbol(")")
        if depth == 0 and part.is_word("BETWEEN"):
            between = True
        elif depth == 0 and part.is_word(word):
            if between and word == "AND":
                between = False
                continue
            yield parts[begun:at]
            begun = at + 1
    yield parts[begun:]


def _of_term(parts: Sequence[Part], columns: Mapping[str, Column]) -> dict[str, Limits] | None:
    if parts and parts[0].is_symbol("(") and _closing(parts, 0) == len(parts) - 1:
        return limits_of(parts[1:-1], columns)
    if len(parts) > 2 and parts[0].is_word("JSON_VALID") and parts[1].is_symbol("("):
        column = _column(parts[2:-1], columns)
        return None if column is None else {column.name.lower(): Limits(is_json=True)}
    word = next((at for at, part in enumerate(parts) if part.is_word("BETWEEN", "IN", "IS")), None)
    if word is not None and not parts[word - 1].is_word("NOT"):
        column, has_length = _operand(parts[:word], columns)
        return None if column is None else _of_word(column, parts[word], parts[word + 1 :], has_length)
    return _of_comparison(parts, columns)


def _of_word(column: Column, word: Part, rest: Sequence[Part], has_length: bool) -> dict[str, Limits] | None:
    if word.is_word("IS"):
        # A draw has a value always.
        return {} if [part.text.upper() for part in rest] == ["NOT", "NULL"] else None
    if word.is_word("IN"):
        listed = [_literal(one) for one in _listed(rest[1:-1])]
        values = tuple(one for one in listed if one is not None)
        known = bool(values) and len(values) == len(listed) and not has_length
        return {column.name.lower(): Limits(values=values)} if known else None
    ends = [_literal(one) for one in _split(rest, "AND")]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return None
    low = _limits(column, ">=", ends[0], has_length)
    high = _limits(column, "<=", ends[1], has_length)
    return None if low is None or high is None else {column.name.lower(): low.and_also(high)}


def _listed(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    begun = 0
    for at, part in enumerate(parts):
        if part.is_symbol(","):
            yield parts[begun:at]
            begun = at + 1
    yield parts[begun:]


def _of_comparison(parts: Sequence[Part], columns: Mapping[str, Column]) -> dict[str, Limits] | None:
    signs = [at for at, part in enumerate(parts) if part.kind == "symbol" and part.text in "<>=!"]
    if not signs or signs != list(range(signs[0], signs[0] + len(signs))):
        return None
    sign = "".join(parts[at].text for at in signs)
    left, right = parts[: signs[0]], parts[signs[-1] + 1 :]
    if (value := _literal(right)) is None:
        left, right, sign = right, left, _TURNED.get(sign, sign)
        value = _literal(right)
    column, has_length = _operand(left, columns)
    if column is None or value is None:
        return None
    limits = _limits(column, sign, value, has_length)
    return None if limits is None else {column.name.lower(): limits}


def _limits(column: Column, sign: str, value: str, has_length: bool) -> Limits | None:
    """Returns what the comparison of a column, or of its length, with a value says; None where a draw of the
    column's type cannot heed it.
    """
    number = End(value).number
    if has_length or (column.is_text and sign in ("<>", "!=") and value == ""):
        if has_length and (number is None or number != int(number)):
            return None
        size = int(number or 0) + (sign in (">", "<>", "!=")) - (sign == "<")
        if sign in ("<>", "!=") and number:
            return None
        return Limits(
            shortest=size if sign in (">", ">=", "=", "<>", "!=") else 0,
            longest=size if sign in ("<", "<=", "=") else None,
        )
    if sign == "=":
        return Limits(values=(value,))
    if sign in ("<>", "!="):
        # Texts are drawn of random letters, numbers from 1 on.
        return Limits(least=End("1")) if number == 0 and not column.is_text else None
    if column.is_text or (number is None) != (column.type in _TIMES):
        return None
    end = End(value, outside=sign in ("<", ">"))
    return Limits(least=end) if sign in (">", ">=") else Limits(most=end) if sign in ("<", "<=") else None


def _operand(parts: Sequence[Part], columns: Mapping[str, Column]) -> tuple[Column | None, bool]:
    """Returns the column that is compared, and whether its length is."""
    if len(parts) > 3 and parts[0].is_word(*_LENGTHS) and parts[1].is_symbol("("):
        return _column(parts[2:-1], columns), True
    return _column(parts, columns), False


def _column(parts: Sequence[Part], columns: Mapping[str, Column]) -> Column | None:
    while len(parts) > 2 and parts[0].is_symbol("("):
        parts = parts[1:-1]
    name = parts[0].name if len(parts) == 1 else None
    return None if name is None else columns.get(name.lower())


def _literal(parts: Sequence[Part]) -> str | None:
    """Returns the number or the text that parts are; None where they are neither."""
    while len(parts) > 2 and parts[0].is_symbol("("):
        parts = parts[1:-1]
    sign = ""
    if len(parts) == 2 and parts[0].is_symbol("-"):
        sign, parts = "-", parts[1:]
    elif len(parts) == 2 and parts[0].kind == "word" and parts[1].kind == "text":
        parts = parts[1:]  # _utf8mb4'a', DATE'2026-01-05'
    if len(parts) != 1 or (sign and parts[0].kind != "number"):
        return None
    if parts[0].is_word("TRUE", "FALSE"):
        return str(int(parts[0].is_word("TRUE")))
    if parts[0].kind == "number":
        return sign + parts[0].text
    text = parts[0].text
    return text[1:-1].replace(text[0] * 2, text[0]) if parts[0].kind == "text" else None
