"""Reads the text of one cell: figures with units and footnote marks, and several figures in a row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.results.audit.figure import Figure, in_prose, parse_figure
from assay.results.audit.metrics import BYTES_PER_S, SECONDS

_MARKS = re.compile(r"<sup>.*?</sup>|\[\w{1,3}\]|\^\d+|[*†‡§¹²³⁴⁵⁶⁷⁸⁹⁰`]+|~~")
_ABOUT = re.compile(r"^(?:~|≈|≃|∼|about |approx\.? |ca\.? |约)\s*", re.IGNORECASE)
_PRODUCT = re.compile(r"(\d{1,6})\s*[*x×]\s*(\d{1,4})")  # threads of several clients
_NUMBER = r"[+-]?\d[\d, .']*?(?:[eE][+-]?\d+)?\s*[kKMG]?%?"
_WITH_UNIT = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>[^\W\d][\w/.]*(?:/\w+)?|µs)?")
_SEPARATOR = re.compile(r"\s+[/|;]\s+|\s*/\s*(?=\d)|\s*;\s*")
_BRACKET = re.compile(r"(?P<first>[^()]+?)\s*\((?P<rest>[^()]+)\)")
_RATES = {
    "tps": "tps", "trx/s": "tps", "txn/s": "tps", "tx/s": "tps", "transactions/s": "tps",
    "qps": "qps", "q/s": "qps", "queries/s": "qps", "req/s": "qps", "rps": "qps", "ops/s": "qps",
    "ops": "qps", "iops": "iops", "io/s": "iops", "threads": "threads", "x": "x",
}  # fmt: skip
_TIMES = {
    "毫秒": "ms",
    "微秒": "us",
    "秒": "s",
    "msec": "ms",
    "usec": "us",
    "secs": "s",
    "seconds": "s",
    "μs": "us",
}
NOTHING = re.compile(r"(?:[-–—―.…/\s]|n\.?/?a\.?|nan|null|none|tbd|unknown|无)*", re.IGNORECASE)
"""What stands in a cell that has no figure on purpose."""


@dataclass(frozen=True)
class CellFigure:
    """One figure of a cell, with the unit beside it or an empty text."""

    figure: Figure
    unit: str = ""


@dataclass(frozen=True)
class CellText:
    """The figures of a cell, and the text of it that could not be read."""

    figures: tuple[CellFigure, ...] = ()
    rest: str = ""


def read_cell(text: str) -> CellText:
    """Returns what a cell says: `26.75 ms / 13.13 ms` are two figures, `~1,000*` is one."""
    plain = parse_figure(text)
    if plain is not None:
        return CellText((CellFigure(plain),))
    if not any(letter.isdigit() for letter in text):
        return CellText()
    if product := _PRODUCT.fullmatch(text.strip()):
        whole = int(product[1]) * int(product[2])
        return CellText((CellFigure(Figure(text.strip(), float(whole), 1.0)),))
    bare = _MARKS.sub("", text).strip()
    if bracket := _BRACKET.fullmatch(bare):
        first, rest = _one(bracket["first"]), _one(bracket["rest"])
        if first is not None:
            both = rest is not None and not bracket["rest"].strip().startswith(("+", "-", "±"))
            return CellText((first, rest), "") if both and rest else CellText((first,), bracket["rest"])
    found = [_one(part) for part in _SEPARATOR.split(bare)]
    if all(found):
        figures = [one for one in found if one is not None]
        last = next((one.unit for one in reversed(figures) if one.unit), "")
        return CellText(tuple(CellFigure(one.figure, one.unit or last) for one in figures))
    if (spread := re.fullmatch(r"(.+?)\s*(?:±|\+/-|\+-)\s*(.+)", bare)) and (first := _one(spread[1])):
        return CellText((first,), f"± {spread[2]}")
    return CellText(rest=text)


def _one(text: str) -> CellFigure | None:
    """Returns the figure with its unit that a text is; None for anything else."""
    about = _ABOUT.match(text.strip())
    bare = _ABOUT.sub("", text.strip()).strip()
    plain = parse_figure(bare)
    unit = ""
    if plain is None:
        found = _WITH_UNIT.fullmatch(bare)
        if found is None or found["unit"] is None:
            return None
        known = _unit(found["unit"])
        plain = parse_figure(found["number"])
        if known is None or plain is None:
            return None
        unit = known
    return CellFigure(in_prose(plain) if about else plain, unit)


def _unit(text: str) -> str | None:
    """Returns a unit by the name that the metrics know; None for another word."""
    if text in BYTES_PER_S:
        return text
    small = text.lower()
    if small in SECONDS:
        return small
    return _TIMES.get(small) or _RATES.get(small)
