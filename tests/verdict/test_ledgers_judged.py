"""Ledgers of planted runs: what differs is named in the right line, and the lines add up to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from assay.design.study import Study, load_study
from assay.results.stats import Gate
from assay.results.verdict import ALIKE, COUNTERS, MACHINE, REST, SMALLER, LedgerShift, Results, judge
from assay.results.verdict.why.choice import between
from assay.results.verdict.why.ledgers import MOST_APART
from assay.results.verdict.why.watching import STRETCHES
from assay.testing.planted import PlantedLedger, PlantedStore, ledger_rows
from assay.testing.planted.ground import name_of
from assay.testing.planted.ledgers import Line
from assay.testing.results_folder import FACTOR, STUDY_TOML

TREATMENTS = [((FACTOR, "1"),), ((FACTOR, "4"),)]
EQUAL: Mapping[Line, tuple[float, float]] = {
    **{(f"group-{number}", ""): (float(number), float(number)) for number in range(1, 12)},
    ("unnamed", ""): (3.0, 3.0),
}
ROW_LOCKS: Mapping[Line, tuple[float, float]] = {
    **EQUAL,
    ("row-locks", "lock_rec_lock"): (4.0, 8.0),
    ("row-locks", "lock_table"): (2.0, 2.0),
    ("row-locks", ""): (1.0, 1.0),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    file = tmp_path_factory.mktemp("study") / "study.toml"
    text = STUDY_TOML.replace("threads = [1, 8, 64]", "threads = [8]").replace("blocks = 6", "blocks = 8")
    file.write_text(text.partition("[[hypothesis]]")[0], encoding="utf-8")
    return load_study(file)


@pytest.fixture(scope="module")
def store() -> PlantedStore:
    return PlantedStore()


def judged(
    study: Study, store: PlantedStore, *planted: PlantedLedger, blocks: int = 8, gate: Gate | None = None
) -> Results:
    return judge(study, store.fill(ledger_rows(TREATMENTS, planted, blocks=blocks)), gate)


def cpu(results: Results) -> LedgerShift:
    return next(one for one in results.ledgers if one.ledger == "cpu")


def test_what_was_planted_is_named_down_to_its_function(study: Study, store: PlantedStore) -> None:
    found = cpu(judged(study, store, PlantedLedger(ROW_LOCKS)))
    assert [one.group for one in found.named] == ["row-locks"]
    group, *inside = [one for one in found.lines if one.group == "row-locks"]
    assert (group.low or 0) < 4 < (group.high or 0)
    assert group.share == pytest.approx(1.0, abs=0.4)
    assert inside[0].line == "lock_rec_lock"
    assert (inside[0].word, inside[0].change) == ("moved", pytest.approx(4.0, abs=0.5))
    assert {one.line for one in inside} == {"lock_rec_lock", "lock_table", REST}
    for other in found.groups[1:]:
        assert other.word == "bounded"
        assert other.limit is not None
        assert abs(other.change) < other.limit
        assert other.detectable is not None


def test_lines_add_up_to_what_was_measured_or_it_is_said(study: Study, store: PlantedStore) -> None:
    results = judged(study, store, PlantedLedger(ROW_LOCKS))
    found = cpu(results)
    assert found.change is not None
    assert sum(one.change for one in found.groups) == pytest.approx(found.change, rel=1e-9)
    assert "ledger-sum" not in {note.kind for note in results.doubts}
    short = judged(study, store, PlantedLedger(ROW_LOCKS, missing=(0.0, 3.0)))
    assert cpu(short).apart == pytest.approx(3.0, abs=1e-6)
    doubted = [note for note in short.doubts if note.kind == "ledger-sum"]
    assert {note.run_id for note in doubted} == {None, *(f"b{block:02}-02" for block in range(1, 9))}


def test_equal_treatments_have_no_line(study: Study, store: PlantedStore) -> None:
    found = cpu(judged(study, store, PlantedLedger(EQUAL)))
    assert not found.named
    assert len(found.lines) == len(EQUAL)  # no group is opened


def test_small_groups_are_one_line_and_named_inside_it(study: Study, store: PlantedStore) -> None:
    """A ledger of forty groups costs a line no more power than one of twenty."""
    small = {(f"small-{number}", ""): (0.1 + number / 1000, 0.1 + number / 1000) for number in range(28)}
    found = cpu(judged(study, store, PlantedLedger(EQUAL | small)))
    assert len(found.groups) == MOST_APART + 1
    assert sum(one.change for one in found.groups) == pytest.approx(found.change, rel=1e-9)

    grown = EQUAL | small | {("small-3", ""): (0.0, 0.5), ("small-4", ""): (0.01, 0.04)}
    results = judged(study, store, PlantedLedger(grown, line_sd=0.01))
    assert [one.group for one in cpu(results).named] == ["small-3"], "it is large where it has grown"

    many = EQUAL | {(f"small-{number}", ""): (0.2, 0.2) for number in range(20)} | {("tiny", ""): (0.0, 0.2)}
    found = cpu(judged(study, store, PlantedLedger(many, line_sd=0.002)))
    (group, *inside) = [one for one in found.lines if one.group == SMALLER]
    assert (group.word, group.change) == ("moved", pytest.approx(0.2, abs=0.05))
    assert inside[0].line == "tiny"
    assert inside[0].word == "moved"


def test_too_few_blocks_and_looks_give_estimates(study: Study, store: PlantedStore) -> None:
    planted = PlantedLedger(ROW_LOCKS, line_sd=0.001, total_sd=0.001)
    for blocks, gate in ((5, None), (8, Gate(0.95, 11, sequential=True))):
        found = cpu(judged(study, store, planted, blocks=blocks, gate=gate))
        assert {one.word for one in found.lines} == {"estimate-only"}
        assert found.lines[0].low is not None
    assert cpu(judged(study, store, planted)).named


def test_a_line_that_a_run_lacks_is_nothing_there(study: Study, store: PlantedStore) -> None:
    new = {**EQUAL, ("compression", "inflate"): (0.0, 5.0)}
    (line,) = cpu(judged(study, store, PlantedLedger(new))).named
    assert (line.group, line.before) == ("compression", 0.0)


def test_the_ledgers_of_a_pair_are_found_whichever_is_the_baseline(study: Study, store: PlantedStore) -> None:
    results = judged(study, store, PlantedLedger(ROW_LOCKS))
    one, other = results.treatments
    for named in ((one, other), (other, one)):
        assert [shift.ledger for shift in between(results, named, 8.0)] == ["cpu", COUNTERS]
    assert between(results, (one,), 8.0) == ()
    assert between(results, (one, other), 64.0) == ()


def test_time_is_that_of_the_closed_loop_and_waits_have_no_sum(study: Study, store: PlantedStore) -> None:
    time = PlantedLedger({("on-cpu", ""): (800.0, 800.0), ("commit", ""): (200.0, 500.0)}, ledger="time")
    waits = PlantedLedger({("fsync", "wait/io/file/innodb/innodb_log_file"): (90.0, 390.0)}, ledger="waits")
    results = judged(study, store, time, waits)
    of = {one.ledger: one for one in results.ledgers}
    assert [one.group for one in of["time"].named] == ["commit"]
    assert of["time"].before == pytest.approx(1000.0, rel=0.1)
    assert "ledger-sum" not in {note.kind for note in results.doubts}
    assert of["waits"].before is None
    assert [one.group for one in of["waits"].named] == ["fsync"]


def test_what_was_counted_while_watching_is_a_figure_of_the_counters(
    study: Study, store: PlantedStore
) -> None:
    counts = {("metrics", "index_page_splits"): (0.0, 5.0), ("metrics", "lock_rec_lock_requests"): (0.0, 0.0)}
    results = judged(study, store, PlantedLedger(counts, ledger="counts"))
    (counters,) = results.ledgers
    assert counters.ledger == COUNTERS
    assert "page_splits_per_transaction" in {one.group for one in counters.named}
    assert "row_locks_requested_per_transaction" not in {one.group for one in counters.lines}


def test_of_figures_with_equal_evidence_the_one_nearer_to_a_cause_stands_first(
    study: Study, store: PlantedStore
) -> None:
    rows = ledger_rows(TREATMENTS, [PlantedLedger(EQUAL)])
    for run in rows["rungs"]:
        after = str(run["treatment"]).endswith("=4")
        for counter, values in {
            "Handler_read_next": (10.0, 100.0),
            "Sort_merge_passes": (0.0, 2.0),
            "Bytes_sent": (1e3, 1e4),
        }.items():
            place = {name: run[name] for name in ("run_id", "treatment", "block", "rung", "load")}
            of = {"measure": f"{counter}_per_query", "unit": "/query", "value": values[after]}
            rows["measures"].append({**place, **of})
    (counters,) = (one for one in judge(study, store.fill(rows)).ledgers if one.ledger == COUNTERS)
    assert [one.group for one in counters.named] == [
        "sort_passes_per_query",
        "bytes_sent_per_query",
        "handler_reads_per_query",
    ]


def test_a_source_that_read_nothing_is_named_with_its_remedy(study: Study, store: PlantedStore) -> None:
    rows = ledger_rows(TREATMENTS, [PlantedLedger(ROW_LOCKS)])
    runs = [{"run_id": one["run_id"], "rung": 1, "load": 8.0} for one in rows["runs"]]
    rows["profile_sources"] = [
        *({**run, "source": "stacks", "name": "samples", "value": 900.0} for run in runs),
        *({**run, "source": "switches", "name": "missing", "text": "perf refuses"} for run in runs[:3]),
        *({**run, "source": "switches", "name": "remedy", "text": "run as root"} for run in runs[:3]),
    ]
    results = judge(study, store.fill(rows))
    (one,) = results.unwatched
    assert results.watched_runs == 16
    assert (one.source, one.ledgers, one.why, one.remedy) == (
        "switches",
        ("time",),
        "perf refuses",
        "run as root",
    )
    assert (one.runs, one.windows) == (3, 16)
    rows["profile_sources"] += [
        {**run, "source": "switches", "name": "missing", "text": "its file is damaged"} for run in runs[3:5]
    ]
    (one,) = judge(study, store.fill(rows)).unwatched
    assert (one.why, one.remedy, one.runs) == ("perf refuses; its file is damaged", "run as root", 5)


def test_what_one_side_does_not_count_is_not_compared(study: Study, store: PlantedStore) -> None:
    """A group without any line was not counted there; one with a line of 0 was, and had nothing."""
    fsync = ("fsync", "wait/io/file/innodb/innodb_log_file")
    waits = PlantedLedger(
        {fsync: (90.0, 390.0), ("statement-cpu", "SELECT ?"): (50.0, 70.0), ("row-locks", ""): (0.0, 40.0)},
        ledger="waits",
    )
    rows = ledger_rows(TREATMENTS, [waits])
    rows["ledger_lines"] = [
        one
        for one in rows["ledger_lines"]
        if not (one["group"] == "statement-cpu" and one["treatment"] == rows["runs"][0]["treatment"])
    ]
    (found,) = (one for one in judge(study, store.fill(rows)).ledgers if one.ledger == "waits")
    assert found.uncompared == ("statement-cpu",)
    assert {one.group for one in found.groups} == {"fsync", "row-locks"}
    assert {one.group for one in found.named} == {"fsync", "row-locks"}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("measure", STRETCHES)
@pytest.mark.parametrize(
    ("percents", "doubted"),
    [
        ((100.0,) * 8, False),
        ((0.0, *(100.0,) * 7), True),  # a watched load that did nothing
        ((0.0,), True),
        ((50.0,), False),  # one block tells nothing from chance
        ((95.0, 96.0, 97.0), True),
    ],
)
def test_a_watched_load_that_did_other_work_is_doubted(
    study: Study, store: PlantedStore, percents: tuple[float, ...], doubted: bool, measure: str
) -> None:
    rows = ledger_rows(TREATMENTS, [PlantedLedger(EQUAL)])
    first = [one for one in rows["runs"] if one["treatment"] == rows["runs"][0]["treatment"]]
    for run, value in zip(first, percents, strict=False):
        where = {key: run[key] for key in ("run_id", "treatment", "block")}
        rows["measures"].append(
            {**where, "rung": 1, "load": 8.0, "measure": measure, "unit": "%", "value": value}
        )
    kinds = {note.kind for note in judge(study, store.fill(rows)).doubts}
    assert ("profile-effect" in kinds) == doubted


SLOW_AT_TIMES = PlantedLedger(
    {**EQUAL, ("row-locks", ""): (4.0, 4.6)}, total_sd=0.01, speed_sd=0.15, generator=(5.0, 5.0)
)


def test_the_speed_of_the_machine_is_a_line_that_all_others_share(study: Study, store: PlantedStore) -> None:
    found = cpu(judged(study, store, SLOW_AT_TIMES))
    assert [one.group for one in found.named] == ["row-locks"]
    (speed,) = [one for one in found.lines if one.group == MACHINE]
    assert speed.word == "bounded"
    assert sum(one.change for one in found.groups) == pytest.approx(found.change, rel=1e-9)
    assert abs(speed.change) > 2 * max(abs(one.change) for one in found.groups if one is not speed)
    assert all(one.speeds[0] * one.speeds[1] == pytest.approx(1) != one.speeds[0] for one in found.runs)


def test_lines_are_beside_what_most_share_where_the_generator_became_dearer_itself(
    study: Study, store: PlantedStore
) -> None:
    found = cpu(judged(study, store, replace(SLOW_AT_TIMES, generator=(5.0, 7.0))))
    assert [one.group for one in found.named] == ["row-locks"]
    assert [one.group for one in found.groups if one.group in (MACHINE, ALIKE)] == [ALIKE]
    assert sum(one.change for one in found.groups) == pytest.approx(found.change, rel=1e-9)


@pytest.mark.parametrize(
    "planted",
    [
        replace(SLOW_AT_TIMES, generator=(5.0, 7.0)),  # it has other work to do itself
        replace(SLOW_AT_TIMES, generator=(5.0, 5.0), total_sd=0.3),  # and does not tell the machine's speed
        replace(SLOW_AT_TIMES, generator=()),
    ],
)
def test_what_the_generator_does_not_tell_is_not_said_of_the_machine(
    planted: PlantedLedger, study: Study, store: PlantedStore
) -> None:
    assert all(one.group != MACHINE for one in cpu(judged(study, store, planted)).lines)


def test_lines_stay_as_they_are_where_nothing_tells_that_the_work_is_the_same(
    study: Study, store: PlantedStore
) -> None:
    found = cpu(judged(study, store, replace(SLOW_AT_TIMES, generator=())))
    assert not {MACHINE, ALIKE} & {one.group for one in found.lines}
    assert {one.speeds for one in found.runs} == {(1.0, 1.0)}
    assert not found.named, "too much noise for it"


@pytest.mark.parametrize("counter", ["Bytes_sent_per_query", "Bytes_received_per_query"])
@pytest.mark.parametrize("sent", [None, 1.02])
def test_a_generator_with_other_work_is_no_measure(
    counter: str, sent: float | None, study: Study, store: PlantedStore
) -> None:
    rows = ledger_rows(TREATMENTS, [SLOW_AT_TIMES])
    other = name_of(TREATMENTS[1])
    kept = [
        {**row, "value": row["value"] * (sent or 1.0)}
        if (row["measure"], row["treatment"]) == (counter, other)
        else row
        for row in rows["measures"]
        if sent is not None or row["measure"] != counter
    ]
    found = cpu(judge(study, store.fill({**rows, "measures": kept})))
    assert all(one.group != MACHINE for one in found.lines)


def test_connections_of_another_kind_are_other_work(study: Study, store: PlantedStore) -> None:
    treatments = [((("load.client"), "socket"),), ((("load.client"), "tcp"),)]
    found = judge(study, store.fill(ledger_rows(treatments, [SLOW_AT_TIMES])))
    assert all(one.group != MACHINE for one in cpu(found).lines)
