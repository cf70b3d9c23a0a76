"""Values of columns as people write them, and as the whole units that the engine counts in."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation

from assay.base.format.job import (
    DateValueForm,
    DecimalValueForm,
    FloatValueForm,
    MomentValueForm,
    TimeValueForm,
    ValueForm,
)

_EPOCH = datetime(1970, 1, 1)


def units(form: ValueForm, value: object) -> int:
    """Returns a value of a column in units of its form. Raises ValueError with a sentence."""
    match form:
        case DecimalValueForm(digits=digits) | FloatValueForm(digits=digits):
            return _scaled(value, digits)
        case DateValueForm():
            return _days(value)
        case MomentValueForm(digits=digits):
            return _since_1970(value, digits)
        case TimeValueForm(digits=digits):
            return _scaled(value, digits)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("expected a whole number")
    return value


def readable(form: ValueForm, value: int) -> int | float | str:
    """Returns units of a form as a file has them: a number, a date, or a date with a time. A time of day is a
    number of seconds.
    """
    match form:
        case DecimalValueForm(digits=digits) | FloatValueForm(digits=digits) | TimeValueForm(digits=digits):
            exact = Decimal(value).scaleb(-digits)
            return int(exact) if exact == exact.to_integral_value() else float(exact)
        case DateValueForm():
            return (_EPOCH + timedelta(days=value)).date().isoformat()
        case MomentValueForm(digits=digits):
            seconds, rest = divmod(value, 10**digits)
            text = (_EPOCH + timedelta(seconds=seconds)).isoformat(" ")
            return f"{text}.{rest:0{digits}d}" if rest else text
    return value


def _scaled(value: object, digits: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise ValueError("expected a number")
    try:
        return int(Decimal(str(value)).scaleb(digits).to_integral_value())
    except (InvalidOperation, OverflowError, ValueError):
        raise ValueError("expected a finite number") from None


def _days(value: object) -> int:
    if isinstance(value, str):
        value = date.fromisoformat(value) if len(value) == len("2026-01-05") else None
    if isinstance(value, datetime) or not isinstance(value, date):
        raise ValueError('expected a date, as in "2026-01-05"')
    return (value - _EPOCH.date()).days


def _since_1970(value: object, digits: int) -> int:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            value = None
    if not isinstance(value, datetime):
        raise ValueError('expected a date with a time, as in "2026-01-05 12:00:00"')
    if value.tzinfo is not None:
        value = value.astimezone(UTC).replace(tzinfo=None)
    passed = value - _EPOCH
    micros = (passed.days * 86_400 + passed.seconds) * 10**6 + passed.microseconds
    return micros // int(10 ** (6 - digits))
