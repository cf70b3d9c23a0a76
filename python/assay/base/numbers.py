"""Formats figures for people by one rule, for sentences, tables, axes and the terminal of every language.

A figure alone has four significant digits, three below one. Beside an interval, the interval decides: the
last digit is that of the first digit of half its width, the same for the value and both ends, and the value
has two digits at least. Digits are added where an end would move to the other side of a figure that it is
compared with. No figure has an exponent such as `e+04`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.base import wording

NOTHING = "–"
AT_LEAST = "≥ "
BOUNDS = {"exact": "", "at-least": AT_LEAST, "at-most": "≤ ", "unknown": "? "}
"""Signs before a ratio by what is known of it (`assay.results.verdict.Bound`)."""
_ROUNDING = 1e-12  # of a value: equal blocks have an interval of that width by the rounding of floats
_MOST_DIGITS = 6
_WRITTEN = 5  # digits, at most, of a figure that is shown as it was written
_ADDED = 2  # digits, at most, that tell an end from a figure
_SMALL_RATIO = 1e-3
_LEAST = 1e-6
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def decimals(value: float) -> int:
    """Returns how many decimals show 4 significant digits (3 below one); none from 1000 on."""
    size = abs(value)
    if size == 0 or size >= 1000:
        return 0
    return 3 - _magnitude(size) if size >= 1 else 2 - _magnitude(size)


def number(value: float | None, places: int | None = None) -> str:
    """Formats a number: `12345.6` as `12,346`, `3.14159` as `3.142`, `2.0` as `2`. None and NaN are a dash,
    infinity its sign. Negative `places` round to tens, hundreds, …
    """
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if places is None and 0 < abs(value) < _LEAST:
        power = _magnitude(abs(value))
        return f"{_grouped(value / 10**power, 2)} × 10{str(power).translate(_RAISED)}"
    if float(value).is_integer() and abs(value) < 1e15:
        return _grouped(value, places or 0)
    return _grouped(value, decimals(value) if places is None else places)


def given(value: float) -> str:
    """Formats a figure that a person gave as it was written, with commas between thousands: `0.5`, `1.05`,
    `12,000`; one of many digits as `number` does.
    """
    written = f"{value:.6g}"
    if "e" in written or len(written.lstrip("-").replace(".", "")) > _WRITTEN:
        return number(value)
    return f"{float(written):,.{len(written.partition('.')[2])}f}".replace("-", "−")


def plain(value: float, digits: int) -> str:
    """Formats a figure with so many significant digits as it would be printed or typed: without commas,
    without zeros at its end, and without an exponent.
    """
    written = f"{value:.{digits}g}"
    if "e" not in written:
        return written
    places = digits - 1 - _magnitude(abs(value))
    text = f"{round(value, places):.{max(places, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def share(value: float | None) -> str:
    """Formats a share from 0 to 1 in per cent, without the sign: `0.9996` as `99.96`, never as `100`."""
    if value is None or not 0 < value < 1:
        return number(value if value is None else 100 * value)
    places = 1 - _magnitude(100 * value) if value < 0.5 else -_magnitude(100 * (1 - value))
    text = _grouped(100 * value, max(0, places))
    return text.rstrip("0").rstrip(".") if "." in text else text


def ends(
    value: float | None, low: float | None, high: float | None, beside: Sequence[float] = (0.0,)
) -> tuple[str, str, str] | None:
    """Returns a value and both ends of its interval with the digits that the interval allows; None without
    an interval. `beside`: figures on whose side an end must be seen to lie.
    """
    if value is None or low is None or high is None or not all(map(math.isfinite, (value, low, high))):
        return None
    if high - low < _ROUNDING * abs(value) or low == high:
        return number(value), number(value), number(value)
    places = _interval_places(value, low, high, beside)
    return number(value, places), number(low, places), number(high, places)


def with_interval(
    value: float | None, low: float | None, high: float | None, *, beside: Sequence[float] = (0.0,)
) -> str:
    """Formats an estimate as `1,230 ± 10`, with an asymmetric interval as `12 [11, 14]`, without one as the
    value alone. A half width that begins with 1 has two digits.
    """
    shown = ends(value, low, high, beside)
    if shown is None or value is None or low is None or high is None:
        return number(value)
    below, above = value - low, high - value
    half = (high - low) / 2
    if half > 0 and abs(above - below) > 0.2 * half:
        return _bracketed(shown)
    if half <= _ROUNDING * abs(value):
        return f"{number(value, max(0, decimals(value)))} ± 0"
    places = _limited(-_magnitude(half / 2), value)
    return f"{number(value, places)} ± {number(half, places)}"


def bracketed(
    value: float | None, low: float | None, high: float | None, beside: Sequence[float] = (0.0,)
) -> str:
    """Formats an estimate with both ends of its interval, `17 [15, 18]`; without one as the value alone."""
    shown = ends(value, low, high, beside)
    return number(value) if shown is None else _bracketed(shown)


def ratio(value: float | None) -> str:
    """Formats a ratio with three decimals near one, where verdicts are made, with four significant digits
    from ten on, and a small one as `1/180,000`.
    """
    if value is None or math.isnan(value):
        return NOTHING
    if 0 < value < _SMALL_RATIO:
        return f"1/{number(_rounded(1 / value))}"
    return number(value, 3) if 0.1 <= abs(value) < 10 else number(value)


def ratio_with_interval(
    value: float | None, low: float | None, high: float | None, beside: Sequence[float] = ()
) -> str:
    """Formats a ratio as `1.23 [1.21, 1.26]`; intervals of ratios are asymmetric, so both ends are shown.
    No end moves to the other side of 1.
    """
    shown = ratio_ends(value, low, high, beside)
    return ratio(value) if shown is None else _bracketed(shown)


def ratio_ends(
    value: float | None, low: float | None, high: float | None, beside: Sequence[float] = ()
) -> tuple[str, str, str] | None:
    """Returns a ratio and both ends of its interval, as `ends` does for a value."""
    if value is None or low is None or high is None:
        return None
    if low > 0 and high < _SMALL_RATIO:
        shown = ends(1 / value, 1 / high, 1 / low)
        return None if shown is None else (f"1/{shown[0]}", f"1/{shown[2]}", f"1/{shown[1]}")
    return ends(value, low, high, (0.0, 1.0, *beside))


def ratio_within(value: float | None, low: float | None, high: float | None) -> str:
    """Formats a ratio alone with the digits that its interval allows: `17` of `17 [15, 18]`."""
    shown = ratio_ends(value, low, high)
    return ratio(value) if shown is None else shown[0]


def reach(least: float, most: float) -> tuple[str, str]:
    """Returns the least and the most of several figures, with the digits that tell them apart."""
    if least == most or (float(least).is_integer() and float(most).is_integer()):
        return number(least), number(most)
    places = max(min(decimals(least), decimals(most)), 1 - _magnitude(most - least))
    return number(least, _limited(places, most)), number(most, _limited(places, most))


def duration(seconds: float | None) -> str:
    """Formats a length of time: `45 s`, `3 min 20 s`, `2 h 05 min`."""
    if seconds is None:
        return NOTHING
    if abs(seconds) >= 60:
        return wording.duration(seconds)
    return f"{seconds:.3g} s" if seconds == 0 or abs(seconds) >= 1e-4 else f"{number(seconds)} s"


def _bracketed(shown: tuple[str, str, str]) -> str:
    return f"{shown[0]} [{shown[1]}, {shown[2]}]"


def _rounded(value: float) -> float:
    """Returns a value with three significant digits."""
    return round(value, 2 - _magnitude(abs(value))) if value else 0.0


def _magnitude(size: float) -> int:
    return math.floor(math.log10(size))


def _grouped(value: float, places: int) -> str:
    text = f"{round(value, places):,.{max(places, 0)}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def _interval_places(value: float, low: float, high: float, beside: Sequence[float]) -> int:
    """Returns the place of the last digit, below zero left of the decimal point."""
    places = _limited(-_magnitude((high - low) / 2), value)
    for more in range(_ADDED + 1):
        if not any(_misleads(end, value, beside, places + more) for end in (low, high)):
            return places + more
    return places


def _limited(places: int, value: float) -> int:
    """Returns a place that shows at least two digits of a value, and not too many of them."""
    second = 1 - _magnitude(abs(value)) if value else places
    return min(max(places, second), max(second, 0) + _MOST_DIGITS - 2)


def _misleads(end: float, value: float, beside: Sequence[float], places: int) -> bool:
    """Returns whether rounding moves an end onto the value, onto another figure, or to the other side of
    that.
    """
    shown = round(end, places)
    if end != value and shown == round(value, places):
        return True
    return any((shown > edge) != (end > edge) or (shown < edge) != (end < edge) for edge in beside)
