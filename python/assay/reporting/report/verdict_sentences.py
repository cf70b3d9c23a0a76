"""Composes what a verdict says in the report's language, from the phrases that the verdict recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base import numbers

if TYPE_CHECKING:
    from assay.reporting.report.words import Words
    from assay.results.verdict import Amount, Explanation, Phrase, Place

CLAUSES = "clauses"
"""The name of parts that are set as clauses; others make a list."""
REACH = "reach"
"""The name of an amount that is the least and the most of several figures, and no interval."""


def explained(words: Words, explanation: Explanation) -> str:
    """Returns sentences in the language of the words."""
    return words.sentences(
        words("verdict.stop", clauses=words.clauses(say_phrase(words, one) for one in clauses))
        for clauses in explanation
    )


def say_phrase(words: Words, phrase: Phrase) -> str:
    """Returns a phrase with its facts: figures with units and intervals, places, and phrases in turn."""
    values: dict[str, str] = {
        name: fact if isinstance(fact, str) else numbers.number(fact) for name, fact in phrase.names.items()
    }
    for name, items in phrase.lists.items():
        joined = words.listed(items) if name in _ALL_ARE_MEANT else words("verdict.or").join(items)
        values[name] = joined
    for name, amount in phrase.amounts.items():
        values |= _amount(words, name, amount)
    for name, place in phrase.places.items():
        values |= _place(words, name, place)
    for name, parts in phrase.parts.items():
        said = [say_phrase(words, part) for part in parts]
        values[name] = words.clauses(said) if name == CLAUSES else words.listed(said)
    if phrase.doubts:
        values["doubts"] = words.listed(words.get(f"doubt.{kind}", kind) for kind in phrase.doubts)
    return words(f"verdict.{phrase.key}", **values)


_ALL_ARE_MEANT = frozenset({"all_of", "kinds"})


def _place(words: Words, name: str, place: Place) -> dict[str, str]:
    """Returns a place, its treatment and its load."""
    if place.load is None:
        load, key = words("load.whole-ladder"), "verdict.place-ladder"
    else:
        load, key = words.load(place.load, place.load_kind), "verdict.place"
    whole = words(key, treatment=place.treatment, load=load)
    return {name: whole, f"{name}_treatment": place.treatment, f"{name}_load": load}


def _amount(words: Words, name: str, amount: Amount) -> dict[str, str]:
    """Returns a figure with its unit, its interval, and the interval's bare ends."""
    is_ratio = amount.kind == "ratio"
    if amount.kind == "given":
        value, low, high = numbers.given(amount.value), "", ""
    elif name == REACH and amount.high is not None:
        low, high = numbers.reach(amount.value, amount.high)
        value = low
    else:
        of = numbers.ratio_ends if is_ratio else numbers.ends
        beside = amount.beside if is_ratio else (0.0, *amount.beside)
        found = of(amount.value, amount.low, amount.high, beside)
        alone = numbers.ratio(amount.value) if is_ratio else numbers.number(amount.value)
        value, low, high = found or (alone, "", "")
    ends = words("verdict.ends", low=low, high=with_unit(words, high, amount.unit)) if low else ""
    if not amount.blocks:
        interval = ends
    elif low:
        interval = words(
            "verdict.interval",
            percent=f"{100 * amount.confidence:g}",
            low=low,
            high=with_unit(words, high, amount.unit),
            blocks=numbers.number(amount.blocks),
        )
    else:
        interval = words("verdict.no-interval", blocks=numbers.number(amount.blocks))
    times = words(
        "verdict.part-of" if value.startswith("1/") else "verdict.times", value=value.removeprefix("1/")
    )
    return {
        name: times if is_ratio and name in _IN_TIMES else with_unit(words, value, amount.unit),
        f"{name}_interval": interval,
        f"{name}_ends": ends,
        f"{name}_low": low or value,
        f"{name}_high": with_unit(words, high or value, amount.unit),
    }


_IN_TIMES = frozenset({"times", "apart"})
"""Names of ratios that stand as "1.2 times"; others stand as the bare figure."""


def with_unit(words: Words, figure: str, unit: str) -> str:
    """Returns a figure with its unit, as the language writes it: `414/s`, `5 %`, `12 ms`."""
    match unit:
        case "1/s" | "/s":
            return words("verdict.a-second", figure=figure)
        case "%":
            return words("verdict.percent", figure=figure)
        case _:
            shown = words.unit(unit)
            return f"{figure} {shown}" if shown else figure
