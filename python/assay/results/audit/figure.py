"""Reads printed figures: the value, and the interval that its rounding leaves."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

_GROUPING = str.maketrans(dict.fromkeys("\xa0\u2007\u2009\u202f", " ") | {"\u2019": "'"})
"""Other blanks and the other apostrophe that stand between thousands."""
_FIGURE = re.compile(r"([+-]?)(\d{1,3}(?:[, ']\d{3})+|\d+)(\.\d+)?(?:[eE]([+-]?\d+))?\s*([kKMG])?%?")
_COMMA = re.compile(r"([+-]?(?:\d{1,3}(?:[. ']\d{3})+|\d+)),(\d{1,2}|\d{4,})(\s*[kKMG]?%?)")
"""A figure with a decimal comma: `0,83`, `1.234,5`; three digits after a comma are thousands."""
_SCALE = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}
_SIZE = re.compile(r"([\d.,]+)\s*([kmgt]?)i?b?\b")
_FACTORS = {"k": 2.0**10, "m": 2.0**20, "g": 2.0**30, "t": 2.0**40}


@dataclass(frozen=True)
class Figure:
    """One printed number. `step` is the value of one unit in its last printed digit."""

    text: str
    value: float
    step: float

    @property
    def low(self) -> float:
        """The least number that rounds to this print."""
        return self.value - self.step / 2

    @property
    def high(self) -> float:
        """The greatest number that rounds to this print, or is cut off to it."""
        return self.value + self.step

    @property
    def digits(self) -> int:
        """The number of significant digits in the figure's text."""
        return len(re.sub(r"^[0.]+|\D", "", self.text)) or 1


_MOST_POWER = 300


def parse_figure(text: str) -> Figure | None:
    """Returns the figure in a text; None where the text is anything else. `1,486`, `930K`, `4 159` and
    `4'159` are figures.
    """
    text = text.strip()
    plain = text.translate(_GROUPING)
    found = _FIGURE.fullmatch(plain)
    if found is None and (comma := _COMMA.fullmatch(plain)):
        found = _FIGURE.fullmatch(f"{_ungrouped(comma[1])}.{comma[2]}{comma[3]}")
    if found is None:
        return None
    sign, whole, part, power, suffix = found.groups()
    if len(power or "") > 4 or abs(int(power or 0)) > _MOST_POWER:  # beyond what a number can be
        return None
    scale = _SCALE[suffix or ""] * 10.0 ** int(power or 0)
    value = float(f"{sign}{_ungrouped(whole)}{part or ''}") * scale
    if not math.isfinite(value):
        return None
    return Figure(text, value, scale * 10.0 ** -(len(part) - 1 if part else 0))


def _ungrouped(whole: str) -> str:
    return re.sub("[,. ']", "", whole)


def in_prose(figure: Figure) -> Figure:
    """Returns the figure with the rounding that prose implies: trailing zeros are rounding, but two digits
    count.
    """
    whole = re.sub(r"\D", "", figure.text)
    if "." in figure.text or not whole.endswith("0") or figure.value == 0:
        return figure
    zeros = min(len(whole) - len(whole.rstrip("0")), max(len(whole) - 2, 0))
    return Figure(figure.text, figure.value, figure.step * 10**zeros)


def one_slip_away(figure: Figure, low: float, high: float) -> bool:
    """Returns whether one wrong, lost or doubled digit, or two in the wrong order, turns this print into a
    number between `low` and `high`. Only a narrow interval can show that: it is False above a width of 0.2 %.
    """
    middle = (low + high) / 2
    if figure.digits < 3 or not middle or (high - low) / abs(middle) > 0.002:
        return False
    scale = figure.value / (_plain(figure.text) or 1.0) if figure.value else 1.0
    return any(low <= near * scale <= high for near in _near(figure.text))


def _plain(text: str) -> float:
    return float(_digits(text) or 0)


def _digits(text: str) -> str:
    """Returns a print without suffix, exponent and thousands separators."""
    return re.sub(r"[^\d.\-]", "", re.sub(r"[eE].*", "", text))


def _near(text: str) -> Iterator[float]:
    clean = _digits(text)
    for at, old in enumerate(clean):
        if not old.isdigit():
            continue
        head, tail = clean[:at], clean[at + 1 :]
        yield from (float(f"{head}{new}{tail}") for new in "0123456789" if new != old)
        yield from (float(f"{head}{new}{old}{tail}") for new in "0123456789")
        if re.search(r"\d", head + tail):
            yield float(head + tail)
        if tail[:1].isdigit() and tail[0] != old:
            yield float(f"{head}{tail[0]}{old}{tail[1:]}")


def bytes_of(text: str, unit: str = "") -> float | None:
    """Returns a size such as `50G` or `2.5 GiB` in bytes, a bare number as it is; None for another text."""
    found = _SIZE.match(f"{text.strip()}{unit}".lower())
    figure = parse_figure(found[1].strip()) if found else None
    return figure.value * _FACTORS.get(found[2], 1.0) if found and figure else None
