"""Connections that are opened again: each transaction has its own, and costs are those of its queries."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.design.folder import ResultsFolder
from assay.results.store import open_store
from live_command import Finished

pytestmark = pytest.mark.live

RECONNECTING = """
[[factor]]
name = "load.reconnect"
levels = [0, 1]
"""


@pytest.mark.long
def test_a_load_without_a_connection_pool(
    assay: Callable[..., Finished], write_study: Callable[..., Path], tmp_path: Path
) -> None:
    folder = ResultsFolder(tmp_path / "results")
    ran = assay(
        "run", str(write_study(factor=RECONNECTING, blocks=1, measure="4s")), "--results", str(folder.path)
    )
    assert ran.code == 0, ran.err
    query = "SELECT treatment, avg(value) FROM measures WHERE measure = ? GROUP BY ALL ORDER BY treatment"
    found = {
        measure: [value for _, value in open_store(folder).execute(query, [measure]).fetchall()]
        for measure in ("Connections_per_query", "Handler_commit_per_query", "tps", "qps")
    }
    kept, opened = [qps / tps for qps, tps in zip(found["qps"], found["tps"], strict=True)]
    none, each = found["Connections_per_query"]
    assert none * kept < 0.05
    assert each * opened == pytest.approx(1, rel=0.1)
    commits = found["Handler_commit_per_query"]
    assert commits[1] == pytest.approx(commits[0], rel=0.15)
    shown = json.loads(assay("report", str(folder.path), "--json").out)
    assert shown["treatments"] == ["reconnect=0", "reconnect=1"]
    assert not [one for one in shown.get("doubts", []) if one["kind"] in ("littles-law", "statements")]
