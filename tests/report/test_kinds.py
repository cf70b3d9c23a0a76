"""Kinds of transactions from an engine's result to the report: measured, judged, called by their names."""

from __future__ import annotations

import json
from collections.abc import Iterator

import duckdb
import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import Study, load_study
from assay.reporting.report import explained, load_words, write_report
from assay.results.store import build_store, open_store
from assay.results.verdict import judge
from assay.results.verdict.results import Results
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from hdrh.histogram import HdrHistogram
from reading import Page

pytestmark = pytest.mark.usefixtures("undrawn")

SECONDS = 5
CLAIMS = (
    "new_order.p90_ms < 5 s",
    "payment.tps[innodb_purge_threads=4] > payment.tps[innodb_purge_threads=1]",
    "payment.p95_ms/new_order.p95_ms < 1",
    "new_order.tps/tps ~ 0.5",
    "order_status.tps > 0",
    "payment.errors_per_s <= 0",
)


def plant(folder: ResultsFolder) -> None:
    """Half of each second are new orders, which respond later than they are served; half payments.

    The result has more of them, as where some that fell due in the window end after it.
    """
    for path in folder.runs.glob("*/rungs/*/events.jsonl"):
        *before, result = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        for event in before:
            if event["event"] == "interval":
                times = event["labels"]["point_select"] | {"count": event["transactions"] // 2}
                event["kinds"] = {"new_order": {"times": times}, "payment": {"times": times}}
        half = result["transactions"] // 2 + 100
        whole, quick = result["labels"]["transaction"], result["labels"]["point_select"]
        result["kinds"] = {
            "new_order": {"times": quick | {"count": half, "response": whole["service"]}},
            "payment": {"times": quick | {"count": half}, "errors": {"1213": 3, "1205": 2}},
            "order_status": {},
        }
        path.write_text("".join(json.dumps(one) + "\n" for one in [*before, result]), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    head = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[1, 8]")
    made = make_results(
        tmp_path_factory.mktemp("kinds"),
        study_toml=head + "".join(f'[[hypothesis]]\nclaim = "{claim}"\n' for claim in CLAIMS),
        effect=1.2,
        loads=(1, 8),
        truth=Truth(measure_s=SECONDS, warmup_s=1),
    )
    plant(made)
    build_store(made)
    return made


@pytest.fixture(scope="module")
def store(folder: ResultsFolder) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_store(folder) as opened:
        yield opened


@pytest.fixture(scope="module")
def study(folder: ResultsFolder) -> Study:
    return load_study(folder.study_file)


@pytest.fixture(scope="module")
def results(study: Study, store: duckdb.DuckDBPyConnection) -> Results:
    return judge(study, store)


def test_a_kind_is_measured_as_the_whole_is(folder: ResultsFolder, store: duckdb.DuckDBPyConnection) -> None:
    run = next(folder.finished_runs())
    query = "SELECT measure, unit, value FROM measures WHERE run_id = ? AND load = 8"
    rows = store.execute(query, [run.path.name]).fetchall()
    found = {measure: (unit, value) for measure, unit, value in rows}
    (path,) = run.path.glob("rungs/*threads-8*/events.jsonl")
    *before, result = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    seconds = [one for one in before if one["event"] == "interval" and one["phase"] == "measure"]
    ended = sum(one["transactions"] // 2 for one in seconds)
    assert found["payment.tps"] == ("/s", ended / SECONDS)
    assert found["payment.errors_per_s"] == ("/s", 1.0)
    served = HdrHistogram.decode(result["labels"]["point_select"]["service"])
    assert found["payment.p90_ms"] == (
        "ms",
        pytest.approx(served.get_value_at_percentile(90) / 1e6, rel=0.005),
    )
    for time in ("mean_ms", "p50_ms", "p99_9_ms", "max_ms"):
        assert found[f"new_order.{time}"] == found[time]
    # What never happened has a throughput and no times.
    assert {measure for measure in found if measure.startswith("order_status.")} == {
        "order_status.tps",
        "order_status.errors_per_s",
    }
    assert found["order_status.tps"] == ("/s", 0.0)


def test_claims_about_kinds_are_judged(results: Results) -> None:
    soon, more, quicker, half, never, failed = results.hypotheses
    assert [one.outcome for one in (soon, more, quicker, half)] == ["supported"] * 4
    assert [one.outcome for one in (never, failed)] == ["refuted"] * 2
    assert explained(load_words("en"), quicker.parts[0].explanation).startswith(
        "payment.p95_ms of innodb_purge_threads=1 is 0.0"
    )
    assert " times new_order.p95_ms of innodb_purge_threads=1 at 1 thread" in explained(
        load_words("en"), quicker.parts[0].explanation
    )
    assert explained(load_words("en"), soon.parts[0].explanation).startswith(
        "new_order.p90_ms of innodb_purge_threads=1 at 1 thread is "
    )
    words = {c.word for c in results.comparisons if c.measure == "payment.tps"}
    assert words == {"better"}


def test_the_report_has_their_tables_by_name(
    study: Study, results: Results, store: duckdb.DuckDBPyConnection, folder: ResultsFolder
) -> None:
    path = write_report(study, results, store, folder.path)
    text = path.read_text(encoding="utf-8")
    names = ("new_order.p90", "payment.tps", "payment.p95", "new_order.p95")
    page = Page(text)
    assert {f"table-{name}" for name in names} <= {*page.ids}
    assert "table-payment.max" not in page.ids
    assert "p90 latency of new_order (ms)" in text
    assert "new_order：p90 延迟" in path.with_name("report.zh.html").read_text(encoding="utf-8")
    assert "better" in (path.parent / "tables/payment.tps.csv").read_text(encoding="utf-8")
