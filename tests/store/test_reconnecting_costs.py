"""Costs of a load that opens its connections again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.results.store import build_store, open_store
from assay.testing.results_folder import Truth, make_results


def test_statements_that_are_no_queries_of_the_load_make_no_cost_smaller(tmp_path: Path) -> None:
    """The server counts the statements that open a connection for each transaction, too."""
    made = make_results(tmp_path, blocks=1, loads=(1,), truth=Truth(measure_s=10, warmup_s=0))
    samples = next(made.finished_runs()).samples("status")
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    for line in lines:
        line["values"]["Questions_total"] *= 3
    events = next(made.finished_runs()).rung(1, "threads", 1).events
    said = [json.loads(line) for line in events.read_text().splitlines()]
    for one in said:
        if one["event"] == "result":
            one["labels"]["connect"] = one["labels"]["transaction"]
    events.write_text("\n".join(map(json.dumps, said)) + "\n", encoding="utf-8")
    samples.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    build_store(made)
    query = "SELECT measure, value FROM measures WHERE run_id = ? AND measure LIKE '%_per_query'"
    run = next(made.finished_runs()).path.name
    found = dict(open_store(made).execute(query, [run]).fetchall())
    assert found["Questions_per_query"] == pytest.approx(3, rel=0.01)
    assert found["Innodb_rows_read_per_query"] == pytest.approx(21, rel=0.01)
