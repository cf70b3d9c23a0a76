"""Records of the matrix: every kind of load, and how its treatments compare with its baseline at one load
point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from assay.base.numbers import number
from assay.reporting.report.material import Material
from assay.reporting.report.records.effects import Mean, mean_ratio
from assay.results.verdict import Comparison, Estimate

COSTS = {
    "cpu": ("server_cpu_us_per_query", "cpu_us_per_io"),
    "switches": ("context_switches_per_query", "context_switches_per_io"),
    "read": ("disk_read_bytes_per_query", "Innodb_data_read_per_query", "disk_read_bytes_per_io"),
    "written": ("disk_write_bytes_per_query", "Innodb_data_written_per_query", "disk_write_bytes_per_io"),
}
"""The costs of an operation beside its throughput; of each, the first that was measured."""


@dataclass(frozen=True)
class KindOfLoad:
    """One kind of load at one load point: its baseline, and the comparisons of the other treatments by their
    names.

    `treatments`: their full names, by the names that they have within each kind.
    """

    name: str
    treatments: Mapping[str, str]
    baseline: Estimate | None
    compared: Mapping[str, Comparison]


@dataclass(frozen=True)
class Sight:
    """What a matrix can detect: for its steadiest, its middle and its noisiest cell, the smallest ratio whose
    direction is found in 80 % of studies with this spread.

    `judged` is the ratio that the middle cell must have to lie beyond the margin as well.
    """

    cells: int
    blocks: int
    margin: float
    least: float
    middle: float
    most: float
    judged: float
    noisiest: tuple[str, str]  # kind of load, treatment


def treatments(material: Material) -> tuple[str, ...]:
    """Returns the treatments by their names within a kind of load; the first is the baseline."""
    results = material.results
    names = {one: name for part in results.workloads for one, name in part.names.items()}
    return tuple(dict.fromkeys(names[one] for one in results.treatments if one in names))


def kinds(material: Material, measure: str, load: float) -> Iterator[KindOfLoad]:
    """Yields every kind of load in the study's order; one whose baseline has not run has no comparisons."""
    baseline = treatments(material)[0]
    for part in material.results.workloads:
        full = {name: one for one, name in part.names.items()}
        first = full.get(baseline)
        if first is None:
            yield KindOfLoad(part.workload, full, None, {})
            continue
        compared = {
            name: found
            for name, other in full.items()
            if (found := material.comparison(other, load, measure, first)) is not None
        }
        yield KindOfLoad(part.workload, full, material.estimate(first, load, measure), compared)


def over_kinds(material: Material, measure: str, load: float, treatment: str) -> Mean | None:
    """Returns the geometric mean of a treatment's ratios over all kinds of load; None if one is missing."""
    baseline = treatments(material)[0]
    found = [one.treatments for one in kinds(material, measure, load)]
    if any(baseline not in names or treatment not in names for names in found):
        return None
    return mean_ratio(material, measure, load, [(names[baseline], names[treatment]) for names in found])


def sight(material: Material, load: float) -> Sight | None:
    """Returns what the matrix of throughput can detect at a load point; None where no cell has two blocks."""
    cells = [
        (one.detectable, kind.name, name, one)
        for kind in kinds(material, material.throughput, load)
        for name, one in kind.compared.items()
        if one.detectable is not None
    ]
    if not cells:
        return None
    found = [ratio for ratio, *_ in cells]
    most, kind, name, _ = max(cells, key=lambda cell: cell[0])
    judged = median(ratio * (1 + one.margin) for ratio, _, _, one in cells)
    blocks = max(one.blocks for *_, one in cells)
    margin = median(one.margin for *_, one in cells)
    return Sight(len(cells), blocks, margin, min(found), median(found), most, judged, (kind, name))


def sees(material: Material, load: float) -> str:
    """Returns the sentence on the differences that the matrix of throughput can detect at a load point."""
    words, found = material.words, sight(material, load)
    if found is None:
        return words("matrix.sees-nothing", load=material.load_words(load))
    return words(
        "matrix.sees",
        load=material.load_words(load),
        cells=found.cells,
        least=_percent(found.least),
        middle=_percent(found.middle),
        most=_percent(found.most),
        noisiest=words.listed(found.noisiest),
    )


def sees_how(material: Material, load: float) -> str:
    """Returns the sentences on what detecting a difference means; empty where nothing can be detected."""
    found = sight(material, load)
    if found is None:
        return ""
    return material.words(
        "matrix.sees-how",
        blocks=found.blocks,
        margin=_percent(1 + found.margin),
        judged=_percent(found.judged),
    )


def _percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):.2g}" if ratio < 2 else number(round(100 * (ratio - 1)))
