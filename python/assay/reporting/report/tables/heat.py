"""The table of the heat map's columns: how long the operations of each second took."""

from __future__ import annotations

from assay.reporting.report.material import Material
from assay.reporting.report.records.heat import columns, heat
from assay.reporting.report.records.timeline import typical_block
from assay.reporting.report.tables.model import Column, Table


def tables(material: Material) -> list[Table]:
    """Returns `heat`: one row a treatment and column of the heat map; none without times."""
    words, load = material.words, max(material.results.loads, default=None)
    block = typical_block(material, load) if load is not None else None
    cells = heat(material, load, block) if load is not None and block is not None else []
    if not cells:
        return []
    counts: dict[tuple[str, float], int] = {}
    for cell in cells:
        place = (cell.treatment, cell.t_s)
        counts[place] = counts.get(place, 0) + cell.operations
    return [
        Table(
            "timeline",
            "heat",
            words("chart.heat"),
            (
                Column("treatment", words("column.treatment"), kind="text"),
                Column("from", words("heat.from"), "s"),
                Column("seconds", words("heat.seconds"), "s"),
                Column("operations", words("heat.operations")),
                Column("p50", "p50", "ms"),
                Column("p99", "p99", "ms"),
                Column("longest", words("heat.longest"), "ms"),
            ),
            tuple(
                (
                    one.treatment, one.t_s, one.seconds, counts[one.treatment, one.t_s], one.p50_ms,
                    one.p99_ms, one.max_ms,
                )
                for one in columns(cells)
            ),
            note=words("heat.note", block=block, load=material.load_words(load)),
            folded=True,
        )
    ]  # fmt: skip
