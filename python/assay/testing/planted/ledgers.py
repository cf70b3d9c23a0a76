"""Plants ledgers: what one query or transaction cost each run, in lines that add up to what was measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.results.ledger import Ledger
from assay.testing.planted.ground import Levels, name_of
from assay.testing.planted.store import SECOND, Rows

Line = tuple[str, str]
"""A group, and a line inside it: "" for the rest of the group."""


@dataclass(frozen=True)
class PlantedLedger:
    """The true lines of every treatment, in microseconds, in the order of the treatments.

    `total_sd` is the noise of a run's whole cost and `line_sd` that of each line's share of it, both standard
    deviations of logarithms; `block_sd` is that of a block, which all of its runs have. `missing` amounts are
    measured and in no line, by treatment. `chosen` amounts, by treatment and block, are put in place of what
    would have been drawn.

    `speed_sd` is the noise of the machine's speed in a run, which a load generator has too: it takes so many
    microseconds of a `generator` for each query, by treatment.
    """

    lines: Mapping[Line, Sequence[float]]
    ledger: Ledger = "cpu"
    total_sd: float = 0.01
    line_sd: float = 0.02
    block_sd: float = 0.05
    missing: Sequence[float] = ()
    chosen: Mapping[tuple[int, int, Line], float] = field(default_factory=dict)
    speed_sd: float = 0.0
    generator: Sequence[float] = ()


def ledger_rows(
    treatments: Sequence[Levels],
    planted: Sequence[PlantedLedger],
    *,
    blocks: int = 8,
    loads: Sequence[float] = (8.0,),
    seed: int = 1,
) -> Rows:
    """Returns the rows of a store with a run of every treatment in every block: its lines, and measures that
    are their sum.
    """
    random = np.random.default_rng(seed)
    rows: Rows = defaultdict(list)
    for block in range(1, blocks + 1):
        of_block = {one.ledger: float(random.normal(0, one.block_sd)) for one in planted}
        for position, levels in enumerate(treatments):
            run = {"run_id": f"b{block:02}-{position + 1:02}", "treatment": name_of(levels), "block": block}
            start = (block * 1000 + position) * SECOND
            ended = {"status": "complete", "started_ns": start, "ended_ns": start + SECOND}
            rows["runs"].append({**run, "position": position + 1, **ended})
            of_run = {"run_id": run["run_id"], "treatment": run["treatment"]}
            rows["levels_by_run"] += [
                {**of_run, "factor": factor, "level": level} for factor, level in levels
            ]
            for number, load in enumerate(loads, start=1):
                here = {**run, "rung": number, "load": load}
                rows["rungs"].append({**here, "kind": "threads", "elapsed_s": 20.0, "complete": True})
                figures = {"tps": 100.0 * load, "qps": 2000.0 * load}
                for one in planted:
                    slower = float(random.normal(0, one.speed_sd)) if one.speed_sd else 0.0
                    amounts = _drawn(one, position, block, of_block[one.ledger] + slower, random)
                    total = sum(amounts.values()) + (one.missing[position] if one.missing else 0.0)
                    figures |= _measured(one.ledger, total, load)
                    if one.generator:
                        own = slower + float(random.normal(0, one.total_sd))
                        figures["generator_cpu_us_per_query"] = one.generator[position] * float(np.exp(own))
                        figures |= dict.fromkeys(("Bytes_received_per_query", "Bytes_sent_per_query"), 60.0)
                    rows["ledger_lines"] += [
                        {**here, "ledger": one.ledger, "group": group, "line": line, "amount": amount}
                        for (group, line), amount in amounts.items()
                    ]
                rows["measures"] += [
                    {**here, "measure": name, "unit": "", "value": value} for name, value in figures.items()
                ]
    return dict(rows)


def _drawn(
    of: PlantedLedger, treatment: int, block: int, luck: float, random: np.random.Generator
) -> dict[Line, float]:
    whole = float(np.exp(luck + random.normal(0, of.total_sd)))
    noise = np.exp(random.normal(0, of.line_sd, len(of.lines))).tolist()
    drawn = {
        line: amounts[treatment] * by for (line, amounts), by in zip(of.lines.items(), noise, strict=True)
    }
    true = sum(amounts[treatment] for amounts in of.lines.values())
    scale = whole * true / sum(drawn.values()) if true else 0.0
    return {line: of.chosen.get((treatment, block, line), amount * scale) for line, amount in drawn.items()}


def _measured(ledger: Ledger, total: float, load: float) -> dict[str, float]:
    """Returns the measures of a run whose ledger has this total."""
    match ledger:
        case "cpu":
            return {"server_cpu_us_per_query": total}
        case "time":
            tps = 1e6 * load / total
            return {"tps": tps, "qps": 20 * tps}
        case _:
            return {}
