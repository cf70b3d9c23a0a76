"""The table of single blocks: each treatment's throughput, and its ratio to the baseline within the block."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.paired import paired
from assay.reporting.report.tables.model import Cell, Column, Table
from assay.reporting.report.tables.wide import load_column


def tables(material: Material) -> list[Table]:
    """Returns `paired`: one row a load point and block; none where no two blocks have pairs."""
    words, points = material.words, paired(material)
    if not points:
        return []
    treatments = [t for t in material.results.treatments if any(point.treatment == t for point in points)]
    baseline, *others = treatments
    measure = words.with_unit(words.measure(material.throughput), words.unit(points[0].unit))
    rows: list[tuple[Cell, ...]] = []
    for load, block in dict.fromkeys((point.load, point.block) for point in points):
        here = {
            point.treatment: point.value for point in points if (point.load, point.block) == (load, block)
        }
        ratios = (
            here[other] / here[baseline] if other in here and baseline in here else None for other in others
        )
        rows.append((load, block, *(here.get(treatment) for treatment in treatments), *ratios))
    return [
        Table(
            "comparisons",
            "paired",
            words("chart.paired"),
            (
                load_column(material),
                Column("block", words("column.block")),
                *(Column(treatment, treatment, group=measure, side=True) for treatment in treatments),
                *(
                    Column(
                        f"{other} / {baseline}",
                        other,
                        kind="ratio",
                        group=words("matrix.ratio", baseline=baseline),
                    )
                    for other in others
                ),
            ),
            tuple(rows),
            note=words("chart.paired-note"),
            folded=True,
        )
    ]
