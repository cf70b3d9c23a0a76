"""Derives lines of my.cnf from the measurement of one disk, by the rules for a study of storage."""

from __future__ import annotations

from collections.abc import Sequence

from assay.design.study import work_of
from assay.results.advice.cells import Cell
from assay.results.advice.disk import Advice, advise
from assay.results.advice.fitness.fit import DiskJudged
from assay.results.advice.fitness.record import CONFIDENCE, PAGE, LoadMeasured, scaled
from assay.results.stats import ConfidenceInterval, fewest_blocks
from assay.results.verdict import Decision, Severity

_NAMES = {"log": "appends", "read": "random reads", "write": "random writes"}


def lines_for(judged: DiskJudged) -> Sequence[Advice]:
    """Returns a line for each setting of InnoDB that a disk decides, in the order of my.cnf."""
    doubts: dict[str, Severity] = {one.kind: one.severity for one in judged.doubts if one.severity != "note"}
    cells = [_cell(one, doubts, direct=judged.measured.direct) for one in judged.measured.loads if one.rates]
    return [line for lines in advise(cells, PAGE).values() for line in lines]


def _cell(one: LoadMeasured, doubts: dict[str, Severity], *, direct: bool) -> Cell:
    log, load = one.load.kind == "log", one.load
    rate = _decision(one.rate, doubts)
    mean_ms = _decision(scaled(one.mean_us, 1e-3), doubts)
    figures = {"syncs_per_s": rate, "sync_mean_ms": mean_ms} if log else {"iops": rate, "mean_ms": mean_ms}
    return Cell(
        treatment=f"{_NAMES[load.kind]} of {load.block_bytes / 1024:g} KiB",
        disk="",
        kind="iodepth",
        load=load.depth,
        pattern=False,
        random=not log,
        read_share=1.0 if load.kind == "read" else 0.0,
        block=load.block_bytes,
        in_flight=load.depth,
        synced=log,
        direct=direct and not log,
        figures=figures,
    )


def _decision(found: ConfidenceInterval, doubts: dict[str, Severity]) -> Decision:
    return Decision(
        work=work_of(["fileio"]),
        figure=found.value,
        low=found.low,
        high=found.high,
        blocks=(found.n,),
        fewest=fewest_blocks(CONFIDENCE),
        confidence=CONFIDENCE,
        doubts=doubts,
    )
