"""Records of the latency of each kind of statement, and of each kind of transaction where a workload has
several.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from assay.base.tally import SHARES, decode_many
from assay.reporting.report.material import Material
from assay.results.stats import ConfidenceInterval
from assay.results.store import WHOLE
from assay.results.verdict import over_blocks

SHOWN = ("p50", "p95", "p99")


@dataclass(frozen=True)
class StatementTimes:
    """Service times of one kind at one load, in ms: percentiles of each block, then over blocks."""

    label: str
    load: float
    treatment: str
    count: int  # over all blocks
    total_ms: float  # time that all of them took together
    percentiles: Mapping[str, ConfidenceInterval]  # by the names in SHOWN


def statement_times(material: Material) -> list[StatementTimes]:
    """Returns the times of statements by load, with the treatments of a statement together.

    Whole transactions come first, then kinds by the time they take.
    """
    return material.once(_statement_times)


def _statement_times(material: Material) -> list[StatementTimes]:
    rows = material.rows(
        "select h.run_id, h.label, h.load, h.treatment, h.block, h.hdr"
        " from histograms h join runs r using (run_id)"
        " where h.kind = 'service' and h.count > 0 and r.status = 'complete'"
        " order by h.label, h.load, h.treatment, h.block"
    )
    rows = [row for row in rows if material.is_used(row["run_id"], row["load"])]
    cells: dict[tuple[float, str, str], dict[int, tuple[int, float, list[float]]]] = defaultdict(dict)
    shares = [SHARES[name] for name in SHOWN]
    for row, histogram in zip(rows, decode_many([row["hdr"] for row in rows]), strict=True):
        found = (histogram.percentiles(shares) / 1e6).tolist()
        total_ms = histogram.mean * histogram.total / 1e6
        cells[row["load"], row["label"], row["treatment"]][row["block"]] = histogram.total, total_ms, found
    times = [
        _over_blocks(material, *key, blocks)
        for key, blocks in cells.items()
        if key[2] in material.results.treatments
    ]
    weight: dict[str, float] = defaultdict(float)
    for one in times:
        weight[one.label] += float("inf") if one.label == WHOLE else one.total_ms
    places = {treatment: place for place, treatment in enumerate(material.results.treatments)}
    return sorted(times, key=lambda one: (one.load, -weight[one.label], one.label, places[one.treatment]))


KINDS = 6
"""The largest number of kinds of statement whose shares are shown by name; the others are one."""


@dataclass(frozen=True)
class WaitShare:
    """The part of the time of all statements that connections waited for one kind; `statement` is empty for
    all kinds that are not shown by name.
    """

    treatment: str
    load: float
    statement: str
    total_ms: float
    share: float


def wait_shares(material: Material) -> list[WaitShare]:
    """Returns the shares by treatment and load, kinds in one order; nothing where there are no two kinds."""
    times = [one for one in statement_times(material) if one.label != WHOLE]
    weight: dict[str, float] = defaultdict(float)
    for one in times:
        weight[one.label] += one.total_ms
    if len(weight) < 2:
        return []
    named = sorted(weight, key=lambda label: -weight[label])[:KINDS]
    sums: dict[tuple[str, float, str], float] = defaultdict(float)
    wholes: dict[tuple[str, float], float] = defaultdict(float)
    for one in times:
        sums[one.treatment, one.load, one.label if one.label in named else ""] += one.total_ms
        wholes[one.treatment, one.load] += one.total_ms
    places = {treatment: place for place, treatment in enumerate(material.results.treatments)}
    kinds = {name: place for place, name in enumerate((*named, ""))}
    return [
        WaitShare(*key, total_ms, total_ms / wholes[key[:2]] if wholes[key[:2]] else 0.0)
        for key, total_ms in sorted(
            sums.items(), key=lambda item: (places[item[0][0]], item[0][1], kinds[item[0][2]])
        )
    ]


def _over_blocks(
    material: Material,
    load: float,
    label: str,
    treatment: str,
    blocks: Mapping[int, tuple[int, float, list[float]]],
) -> StatementTimes:
    confidence = material.results.gate.confidence
    percentiles = {
        name: over_blocks({block: found[at] for block, (_, _, found) in blocks.items()}, confidence)
        for at, name in enumerate(SHOWN)
    }
    count = sum(counted for counted, _, _ in blocks.values())
    total_ms = sum(total for _, total, _ in blocks.values())
    return StatementTimes(label, load, treatment, count, total_ms, percentiles)
