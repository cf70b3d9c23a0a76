"""The phrases of the report by language: one TOML file each, with the same keys in all (a test checks
that).
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

from assay.base.numbers import number
from assay.design.study import Kind, LoadKind, in_language, parted
from assay.design.study.storage import DEPTHS, LATENCIES_MS, SIZES
from assay.results.stats import Gate

LANGUAGES: tuple[str, ...] = ("en", "zh")
_TIME = re.compile(r"(read|write|sync)_(?:(submit|completion)_)?(min|mean|stdev|p50|p95|p99|p99_9|max)_ms")
_SIDE = re.compile(r"(read|write)_(.+)")
_GAP = re.compile(
    r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff])| (?=[，。；：、）])|(?<=[，。；：、（]) "
)
"""Spaces between Chinese characters, or beside Chinese marks: phrases have one around names, which are mostly
Latin.
"""
_LEVEL = re.compile(r"(depth|submitted|collected)_(\d+(?:_up)?)_pct")
_LATENCY = re.compile(r"latency_below_([\d.]+)_ms_pct")
_RANGES = {
    "depth": dict(zip(DEPTHS, ("1", "2–3", "4–7", "8–15", "16–31", "32–63", "64 +"), strict=True)),
    "submitted": dict(zip(SIZES, ("0", "1–4", "5–8", "9–16", "17–32", "33–64", "65 +"), strict=True)),
}
_RANGES["collected"] = _RANGES["submitted"]
"""The ranges in words of fio's levels."""


class _Plurals(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        if bar:
            return one if value in (1, "1") else many
        return str(super().format_field(value, format_spec))


_PLURALS = _Plurals()


class Words:
    """Phrases of one language by dotted key: `words("summary.heading")`."""

    def __init__(self, language: str, phrases: Mapping[str, str]) -> None:
        self.language = language
        self._phrases = phrases

    def __call__(self, key: str, **values: Any) -> str:
        """Returns the phrase with its `{names}` filled in. Raises KeyError for a key that is not in the
        catalogue.

        `{count:run|runs}` is the first word for one, otherwise the second.
        """
        phrase = self._phrases[key]
        if not values:
            return phrase
        said = _PLURALS.vformat(phrase, (), values)
        return _GAP.sub("", said) if self.language == "zh" else said

    def get(self, key: str, otherwise: str) -> str:
        """Returns a phrase, or `otherwise` for names from data (a new measure or kind of doubt) that have no
        phrase yet.
        """
        return self._phrases.get(key, otherwise)

    def of(self, kind: Kind | Literal["imported"]) -> Words:
        """Returns the words for a study of this kind: phrases under [of-storage] replace those about servers,
        and phrases under [of-imported] those about runs of Assay.
        """
        prefix = f"of-{kind}."
        own = {
            key.removeprefix(prefix): phrase
            for key, phrase in self._phrases.items()
            if key.startswith(prefix)
        }
        return Words(self.language, {**self._phrases, **own})

    def keys(self) -> frozenset[str]:
        return frozenset(self._phrases)

    def measure(self, name: str) -> str:
        """Returns a measure's name for people, with its kind: from the catalogue, otherwise its own name with
        spaces.
        """
        kind, whole = parted(name)
        if kind is not None:
            return self("kind.measure", measure=self.measure(whole), kind=kind)
        if found := _TIME.fullmatch(name):
            side, part, time = found.groups()
            return self(f"times.{part or 'total'}", side=self(f"times.{side}"), time=self(f"times.{time}"))
        if (found := _SIDE.fullmatch(name)) and (phrase := self.get(f"side.{found[2]}", "")):
            return phrase.format(side=self(f"times.{found[1]}"))
        if found := _LEVEL.fullmatch(name):
            return self(f"level.{found[1]}", level=_RANGES[found[1]][found[2]])
        if found := _LATENCY.fullmatch(name):
            return self("level.latency", level=_latency_range(float(found[1])))
        if phrase := self.get(f"measure.{name}", ""):
            return phrase
        counter, _, ending = name.rpartition("_per_")
        if counter and (phrase := self.get(f"per.{ending}", "")):
            own = self("join.name", name=counter)
            return phrase.format(counter=self.get(f"counter.{counter}", own))
        return name.replace("_per_", " per ").removesuffix("_pct")

    def load(self, load: float, kind: LoadKind) -> str:
        """Returns a load point in words: `64 threads`, `500 per second`."""
        key = "one-thread" if kind == "threads" and load == 1 else kind
        return self(f"load.at-{key}", load=number(load))

    def listed(self, items: Iterable[str]) -> str:
        """Returns the items as a list in this language: `a, b, c`."""
        return self("join.list").join(items)

    def clauses(self, items: Iterable[str]) -> str:
        """Returns clauses one after the other, with the mark that this language sets between."""
        return self("join.clause").join(items)

    def sentences(self, items: Iterable[str]) -> str:
        """Returns sentences one after the other, with the language's own space between."""
        return self("join.sentence").join(items)

    def with_unit(self, name: str, unit: str) -> str:
        """Returns a name with its unit, `Throughput (1/s)`; the name alone for a bare number."""
        return self("join.unit", name=name, unit=unit) if unit else name

    def unit(self, name: str) -> str:
        """Returns a unit's name for people; empty for a bare number."""
        return self.get(f"unit.{name}", name)

    def title(self, titles: Mapping[str, str], otherwise: str) -> str:
        """Returns the title in this language, otherwise in English, otherwise any, otherwise the study's
        name.
        """
        return in_language(titles, self.language) or otherwise


def suffix(language: str) -> str:
    """Returns the suffix of a language's file names; English has none."""
    return "" if language == "en" else f".{language}"


def _latency_range(edge_ms: float) -> str:
    """Returns the range from the edge before to this one: `250–500 µs`."""
    at = LATENCIES_MS.index(edge_ms)
    unit, scale = ("µs", 1000) if edge_ms <= 1 else ("ms", 1)
    low = LATENCIES_MS[at - 1] * scale if at else 0.0
    return f"{low:g}–{edge_ms * scale:g} {unit}"


@cache
def load_words(language: str, gate: Gate | None = None) -> Words:
    """Returns the catalogue of a language in LANGUAGES, with the figures of the gate that results were judged
    by.
    """
    gate = gate or Gate.of(0.95)
    text = resources.files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    figures = {
        "{confidence}": f"{100 * gate.confidence:.4g}",
        "{error}": f"{100 * (1 - gate.confidence):.4g}",
        "{fewest}": str(gate.fewest),
    }
    phrases = {}
    for key, phrase in _flat(tomllib.loads(text)):
        for name, figure in figures.items():
            phrase = phrase.replace(name, figure)
        phrases[key] = phrase
    return Words(language, phrases)


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)
