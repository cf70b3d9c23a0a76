"""The factors of imported runs: names and levels that the caller gives, or that a tool printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.base.errors import InputError
from assay.base.printable import line
from assay.design.study import Scalar, check_factor_name, is_word, level_text
from assay.design.study.claims import LoadKind
from assay.experiments.adopt.adopted import Adopted, LoadPoint

_KINDS: Mapping[str, LoadKind] = {"threads": "threads", "rate": "rate", "iodepth": "iodepth"}
_WHOLE = re.compile(r"-?(0|[1-9]\d*)")
_DECIMAL = re.compile(r"-?(0|[1-9]\d*)\.\d+")


@dataclass(frozen=True)
class StatedFactors:
    """What the caller says of the files: the load, and factors in order. A level of None is the tool's."""

    load: LoadPoint | None
    factors: Mapping[str, Scalar | None]


def given(texts: Iterable[str]) -> StatedFactors:
    """Returns what `--factor` options say: `NAME=LEVEL`, or NAME alone for the level that the tool printed.

    `threads`, `rate` and `iodepth` are the load. Any other name is a factor of studies
    (`server.variables.innodb_io_capacity`), or a word. Raises InputError for a name that is neither.
    """
    load: LoadPoint | None = None
    factors: dict[str, Scalar | None] = {}
    for text in texts:
        name, equals, level = text.partition("=")
        if equals and not level:
            raise InputError(f"--factor {text}: needs a level after =", hint=f"write {name}=LEVEL, or {name}")
        if name in _KINDS and equals:
            load = LoadPoint(_KINDS[name], _load(text, level))
            continue
        full = _full(name)
        if full in factors:
            raise InputError(f"--factor {name}: is given twice")
        factors[full] = scalar(level) if equals else None
    return StatedFactors(load, factors)


def _load(text: str, level: str) -> float:
    try:
        value = float(level)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9 or (not text.startswith("rate=") and not value.is_integer()):
        raise InputError(
            f"--factor {text}: expected a number above 0, whole unless it is a rate, as in threads=16"
        )
    return value


def _full(name: str) -> str:
    """Returns the full name of a factor: that of a study's factor, or `imported.` and a word."""
    if is_word(name):
        return f"imported.{name}"
    try:
        return check_factor_name(name)
    except ValueError as error:
        raise InputError(
            f"--factor {name}: {error}", hint="write one word, such as filesystem, or a factor of studies"
        ) from None


def scalar(text: str) -> Scalar:
    """Returns a level as a study file has it: a number where the text is written as one. Control
    characters are escaped, as are bytes that are no UTF-8.
    """
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else line(text)


def load_of(where: str, found: Adopted, wanted: StatedFactors) -> LoadPoint:
    """Returns the load of a run. Raises InputError where neither the tool nor the caller says it, or they
    differ.
    """
    if found.load is None and wanted.load is None:
        raise InputError(
            f"{where}: {found.tool} does not print the load here",
            hint="say it: --factor threads=N, or rate=N, or iodepth=N",
        )
    if found.load is not None and wanted.load is not None and found.load != wanted.load:
        raise InputError(
            f"{where}: --factor {wanted.load.kind}={wanted.load.value:g} contradicts the file, which says"
            f" {found.load.kind} {found.load.value:g}",
            hint="leave it out",
        )
    load = found.load or wanted.load
    assert load is not None
    return load


def levels_of(where: str, found: Adopted, wanted: StatedFactors, from_name: str = "") -> dict[str, Scalar]:
    """Returns the levels of a run by the full names of factors. `from_name` is the level of a factor that the
    tool does not print, from the name of the file.

    Raises InputError where neither the tool nor the name says a level that is asked for.
    """
    levels: dict[str, Scalar] = {}
    for name, level in wanted.factors.items():
        word = name.rpartition(".")[2]
        if level is None and word not in found.settings and from_name:
            levels[name] = from_name
            continue
        if level is None and word not in found.settings:
            printed = ", ".join(found.settings) or "nothing"
            raise InputError(
                f"{where}: does not say {word}; of its settings it says {printed}",
                hint=f"give the level: --factor {word}=LEVEL",
            )
        levels[name] = scalar(found.settings[word]) if level is None else level
    return levels


def treatment_name(levels: Mapping[str, Scalar]) -> str:
    """Returns the name of a treatment, as studies call theirs: `filesystem=xfs, innodb_io_capacity=200`."""
    shorts = [name.rpartition(".")[2] for name in levels]
    named = zip(levels, shorts, levels.values(), strict=True)
    return (
        ", ".join(
            f"{short if shorts.count(short) == 1 else name}={level_text(level)}"
            for name, short, level in named
        )
        or "default"
    )
