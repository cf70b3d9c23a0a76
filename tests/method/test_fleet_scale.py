"""A fleet of 64 simulated generators is merged without a loss."""

from __future__ import annotations

from pathlib import Path

from assay.base.tally import decode
from assay.design.folder import Interval, RunResult

from benchmarks.fleet_scale import GENERATORS, merged, recorded, store_of


def test_64_generators_are_merged_without_a_loss(tmp_path: Path) -> None:
    job, events = recorded(tmp_path / "events.jsonl", seconds=0.3)
    said, _ = merged(job, events, GENERATORS)
    alone = [event for event in events if isinstance(event, Interval)]
    together = [event for event in said if isinstance(event, Interval)]
    assert len(together) == len(alone) > 0
    for one, all_ in zip(alone, together, strict=True):
        assert all_.transactions == GENERATORS * one.transactions
        for label, times in one.labels.items():
            mine, theirs = decode(times.service), decode(all_.labels[label].service)
            assert theirs.index.tolist() == mine.index.tolist()
            assert theirs.counts.tolist() == (GENERATORS * mine.counts).tolist()
    assert any(isinstance(event, RunResult) for event in events)


def test_a_store_is_queried_alike_in_packs_and_by_run(tmp_path: Path) -> None:
    for together, parts in ((64, 4), (1, 200)):
        size, took = store_of(tmp_path / str(together), 200, together)
        assert size > 0
        assert took > 0
        assert len(list((tmp_path / str(together)).glob("store/*/measures.parquet"))) == parts
