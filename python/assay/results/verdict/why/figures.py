"""Computes the figures of the counter ledger from sampled counters, by the list in `counters.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Blocks, Observations

_QUERY = "_per_query"
_CLOCK = 20.0
Per = Literal["query", "transaction", "counters"]


@dataclass(frozen=True)
class CounterFigure:
    """A cost of one query or transaction: the sum of the counters `of` over what `per` says, `times` a
    factor. `measure`: the measure that is the figure already, or a rate that is divided by that of
    transactions. `over`: the counters that it is divided by. `counted`: what the server counted for one
    transaction while it was watched.
    """

    name: str
    unit: str
    per: Per
    of: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    measure: str | None = None
    times: float = 1.0
    clock: float = _CLOCK

    def below(self, seen: Observations, place: Place) -> Blocks:
        """Returns what a quotient is divided by, for one query in every block."""
        return _summed(seen, place, self.over)[0]

    def blocks(
        self, seen: Observations, place: Place, counts: Mapping[str, Blocks]
    ) -> tuple[Blocks, frozenset[str]]:
        """Returns the figure in every block at a place, and the counters that it was made of: no block where
        none of them ever moved. `counts`: what the server counted while it was watched.
        """
        if self.counted:
            return _added({name: counts[name] for name in self.counted if name in counts})
        if self.measure is not None:
            found = seen.blocks(self.measure, place)
            if self.per == "transaction":
                tps = seen.blocks("tps", place)
                found = {block: rate / tps[block] for block, rate in found.items() if tps.get(block)}
            return found, frozenset([self.measure] if found else ())
        above, counted = _summed(seen, place, self.of)
        match self.per:
            case "query":
                below: Blocks = dict.fromkeys(above, 1.0)
                parts: frozenset[str] = frozenset()
            case "transaction":
                tps, qps = (seen.blocks(rate, place) for rate in ("tps", "qps"))
                below = {block: tps[block] / qps[block] for block in tps if qps.get(block)}
                parts = frozenset()
            case "counters":
                below, parts = _summed(seen, place, self.over)
        values = {
            block: self.times * amount / below[block] for block, amount in above.items() if below.get(block)
        }
        return values, counted | parts


def _summed(
    seen: Observations, place: Place, counters: tuple[str, ...]
) -> tuple[dict[int, float], frozenset[str]]:
    """Returns the sum of counters for one query in every block that has all that any block has. A counter
    whose name another flavour spells otherwise stands in the list with both, and is the first that was seen.
    """
    return _added(
        {names: blocks for names in counters if (blocks := _first_seen(seen, place, names.split("|")))}
    )


def _added(found: Mapping[str, Blocks]) -> tuple[dict[int, float], frozenset[str]]:
    """Returns the sum in every block that all have, and the names of what was added."""
    common = set.intersection(*(set(blocks) for blocks in found.values())) if found else set()
    return {block: sum(blocks[block] for blocks in found.values()) for block in sorted(common)}, frozenset(
        found
    )


def _first_seen(seen: Observations, place: Place, names: Sequence[str]) -> Blocks:
    return next((blocks for name in names if (blocks := seen.blocks(f"{name}{_QUERY}", place))), {})


@cache
def counter_figures() -> tuple[CounterFigure, ...]:
    """Returns every figure of the counter ledger, in the order of the list."""
    text = resources.files(__package__).joinpath("counters.toml").read_text(encoding="utf-8")
    return tuple(_figure(name, row) for name, row in tomllib.loads(text).items())


def _figure(name: str, row: Mapping[str, Any]) -> CounterFigure:
    per = row.get("per", "query")
    return CounterFigure(
        name=name,
        unit=row["unit"],
        per=per if isinstance(per, str) else "counters",  # type: ignore[arg-type]
        of=tuple(row.get("of", ())),
        counted=tuple(row.get("counted", ())),
        over=() if isinstance(per, str) else tuple(per),
        measure=row.get("measure"),
        times=float(row.get("times", 1)),
        clock=float(row.get("clock", _CLOCK)),
    )
