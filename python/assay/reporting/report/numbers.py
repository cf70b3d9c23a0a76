"""Formats figures for people.

They have 3-4 significant digits, and commas between thousands; intervals have the digits of their value.
"""

from __future__ import annotations

import math

from assay.base import wording

NOTHING = "–"
AT_LEAST = "≥ "
BOUNDS = {"exact": "", "at-least": AT_LEAST, "at-most": "≤ ", "unknown": "? "}
"""Signs before a ratio by what is known of it (`assay.results.verdict.Bound`)."""
_ROUNDING = 1e-12  # of a value: equal blocks have an interval of that width by the rounding of floats


def decimals(value: float) -> int:
    """Returns how many decimals show 4 significant digits (3 below one); none from 1000 on."""
    size = abs(value)
    if size == 0 or size >= 1000:
        return 0
    if size >= 1:
        return 3 - math.floor(math.log10(size))
    return min(2 - math.floor(math.log10(size)), 6)


def number(value: float | None, places: int | None = None) -> str:
    """Formats a number: `12345.6` as `12,346`, `3.14159` as `3.142`. None and NaN are a dash, infinity its
    sign.
    """
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value != 0 and abs(value) < 1e-5:
        return f"{value:.2e}".replace("-", "−")
    if float(value).is_integer() and abs(value) < 1e15:
        return _grouped(value, places or 0)
    return _grouped(value, decimals(value) if places is None else places)


def with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """Formats an estimate as `1,234 ± 12`, with an asymmetric interval as `12.0 [11.5, 14.2]`, without one as
    the value alone.
    """
    if value is None or low is None or high is None or not all(map(math.isfinite, (value, low, high))):
        return number(value)
    if high - low < _ROUNDING * abs(value):
        low = high = value
    places = _interval_places(value, high - low)
    below, above = value - low, high - value
    half = (high - low) / 2
    if half > 0 and abs(above - below) > 0.2 * half:
        return f"{number(value, places)} [{number(low, places)}, {number(high, places)}]"
    return f"{number(value, places)} ± {number(half, places)}"


def ratio(value: float | None) -> str:
    """Formats a ratio with three decimals near one, where verdicts are made, and with four significant digits
    from ten on.
    """
    if value is None or math.isnan(value):
        return NOTHING
    return number(value, 3) if 0.1 <= abs(value) < 10 else number(value)


def ratio_with_interval(value: float | None, low: float | None, high: float | None) -> str:
    """Formats a ratio as `1.234 [1.210, 1.260]`; intervals of ratios are asymmetric, so both ends are
    shown.
    """
    if low is None or high is None:
        return ratio(value)
    return f"{ratio(value)} [{ratio(low)}, {ratio(high)}]"


def duration(seconds: float | None) -> str:
    """Formats a length of time: `45 s`, `3 min 20 s`, `2 h 05 min`."""
    if seconds is None:
        return NOTHING
    if seconds < 60:
        return f"{seconds:.3g} s"
    return wording.duration(seconds)


def _grouped(value: float, places: int) -> str:
    text = f"{value:,.{places}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def _interval_places(value: float, width: float) -> int:
    """Returns enough decimals to show a digit of the half width, and never fewer than the value has."""
    places = decimals(value)
    if width > 0:
        places = max(places, min(-math.floor(math.log10(width / 2)), 6)) if abs(value) < 1000 else places
    return places
