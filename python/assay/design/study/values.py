"""Values of a study: scalars and how they are written, lengths of time, sizes."""

from __future__ import annotations

import math
import re

from assay.design.study.option_lines import check_writable

Scalar = str | int | float | bool

COPY = "copy"
"""The factor that changes nothing: its levels number equal treatments."""

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
LONGEST_S = 10_000 * 3600.0
"""Longest length of time in a study: more than a year is a mistake."""
_SIZE = re.compile(r"(\d+)([KMGT]?)", re.IGNORECASE)
_SIZE_WITH_BYTES = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGTPE])i?B", re.IGNORECASE)
_SIZE_WITH_FRACTION = re.compile(r"(\d+\.\d+)\s*([KMGTPE])", re.IGNORECASE)


def level_text(value: Scalar) -> str:
    """Returns a value as people read it, and as run names and claims spell it: true is `on`, 0.5 is `0.5`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def masked(text: str) -> str:
    """Returns a text with the password of any DSN in it masked."""
    return re.sub(r"(//[^/\s:@]*:).*@", r"\1***@", text)


def shown(value: object) -> str:
    """Returns a value as the study file writes it, for messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{masked(value)}"'
    if isinstance(value, list):
        return f"[{', '.join(shown(item) for item in value)}]"
    if isinstance(value, dict):
        return "a table"
    return str(value)


def bound_text(bound: float) -> str:
    """Returns a bound of a range with every digit: 9007199254740992, 0.5."""
    return level_text(float(bound)) if bound != int(bound) else f"{int(bound)}"


def is_duration(text: str) -> bool:
    """Returns whether a text is written as a length of time, however long."""
    return _DURATION.fullmatch(text.strip()) is not None


def parse_duration_s(value: object) -> float:
    """Returns the seconds of "500ms", "60s", "2m" or "1h". Raises ValueError with a sentence that says what
    to write.
    """
    if isinstance(value, str) and (match := _DURATION.fullmatch(value.strip())):
        if (seconds := float(match[1]) * _SECONDS[match[2]]) > LONGEST_S:
            raise ValueError(
                f'{shown(value)} is longer than a study may take: at most "{LONGEST_S // 3600:g}h"'
            )
        return seconds
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise ValueError(f'{shown(value)} has no unit; write "{level_text(value)}s" for seconds')
    raise ValueError(f'{shown(value)} is not a length of time; write a number and ms, s, m or h, as in "60s"')


def parse_size_bytes(value: object) -> int:
    """Returns the bytes of "512M", "4G" or 1073741824. Raises ValueError with a sentence that says what to
    write.
    """
    if isinstance(value, str) and (match := _SIZE.fullmatch(value.strip())) and int(match[1]) > 0:
        return int(
            int(match[1]) * 1024 ** (1 + "KMGT".index(match[2].upper())) if match[2] else int(match[1])
        )
    if isinstance(value, str):
        check_variable(value)  # it knows what was meant by "1GB" and "1.5G"
    raise ValueError(f'{shown(value)} is not a size; write a whole number and K, M, G or T, as in "512M"')


LONGEST_DELAY_MS = 10_000


def check_delay(value: object) -> None:
    """Raises ValueError unless it is a number of milliseconds from 0 up."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 <= value <= LONGEST_DELAY_MS:  # type: ignore[operator]
        raise ValueError(
            f"{shown(value)} is not a delay; write milliseconds without a unit, 0 to {LONGEST_DELAY_MS}"
        )


DEFAULT_PLACE = "default"
"""The word for the directory where data lie when the study names none."""

_NUMA = re.compile(r"(?:(?:interleave|bind)=\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*|preferred=\d+|interleave|local)")


def check_numa(value: object) -> None:
    """Raises ValueError unless it is a NUMA policy: a word, and nodes as in `0-1`."""
    if not isinstance(value, str) or not (_NUMA.fullmatch(value) or value == DEFAULT_PLACE):
        raise ValueError(
            f'{shown(value)} is not a NUMA policy; write "interleave" (over all nodes),'
            ' "interleave=0-1", "bind=0", '
            f'"preferred=1", "local" or "{DEFAULT_PLACE}"'
        )


def check_directory(value: object) -> None:
    """Raises ValueError unless it is an absolute path, or `default`."""
    if not isinstance(value, str) or not (value.startswith("/") or value == DEFAULT_PLACE):
        raise ValueError(
            f'{shown(value)} is not a directory; write a full path as in "/data/fast", or "{DEFAULT_PLACE}"'
        )


def size_text(count: int) -> str:
    """Returns bytes as a study writes them, `512M`; the number itself when no unit divides it."""
    for power, unit in ((4, "T"), (3, "G"), (2, "M"), (1, "K")):
        if count and count % 1024**power == 0:
            return f"{count // 1024**power}{unit}"
    return str(count)


def check_scalar(value: object) -> Scalar:
    """Returns a string, whole number, number or true/false. Raises ValueError for any other value."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is not a number to compute with")
    if isinstance(value, str | int | float):
        return value
    raise ValueError(f"{shown(value)} is not a single value; write a string, a number, true or false")


def check_variable(value: object) -> Scalar:
    """Returns a value for a server variable. Raises ValueError for sizes that the server would read wrongly
    or not at all, and for what no options file can hold.
    """
    scalar = check_scalar(value)
    if isinstance(scalar, str):
        check_writable(scalar)
        text = scalar.strip()
        if match := _SIZE_WITH_BYTES.fullmatch(text):
            raise ValueError(
                f'"{scalar}" is not a size that the server knows; did you mean'
                f' "{_whole(match[1], match[2])}"?'
            )
        if match := _SIZE_WITH_FRACTION.fullmatch(text):
            raise ValueError(
                f'"{scalar}": sizes are whole numbers; did you mean "{_whole(match[1], match[2])}"?'
            )
    return scalar


_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def is_word(text: str) -> bool:
    """Returns whether a text can be the name of an option or a variable."""
    return _WORD.fullmatch(text) is not None


def check_variable_name(name: str) -> None:
    """Raises ValueError unless this is how `SHOW VARIABLES` spells a name; that of a component's variable has
    a dot, `validate_password.policy`.
    """
    if not all(map(is_word, name.split("."))):
        plain = name.replace("-", "_")
        also = f'; did you mean "{plain}"?' if is_word(plain) else ""
        raise ValueError(f'"{name}" is not the name of a server variable{also}')


def _whole(number: str, unit: str) -> str:
    """Returns a number in the next smaller unit that makes it whole, where there is one: `1.5 G` becomes
    `1536M`.
    """
    units = "KMGTPE"
    size, step = float(number), units.index(unit.upper())
    while not size.is_integer() and step > 0:
        size, step = size * 1024, step - 1
    return f"{math.ceil(size)}{units[step]}"
