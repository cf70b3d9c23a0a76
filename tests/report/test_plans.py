"""The table of plans has the statements that are carried out in another way, and counts the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assay.reporting.report.material import Material
from assay.reporting.report.records.plans import seen_plans
from assay.reporting.report.tables.plans import tables
from assay.reporting.report.words import load_words
from assay.results.verdict.doubts.plans import unstable_plans
from assay.results.verdict.results import WorkloadPart
from synthetic import VARIABLE, make_material

Row = tuple[str, str | None, str | None, int | None, str | None]
SELECT, UPDATE, JOIN = "SELECT c FROM sbtestN WHERE k = ?", "UPDATE sbtestN SET k=k+?", "SELECT a, b"


def planned(path: Path, *of: dict[str, list[Row]], unknown: str | None = None) -> Material:
    """Returns a study whose treatments have these plans; each row is table, access, key, rows, extra."""
    made = make_material(path, treatments=max(2, len(of)), loads=(8,), blocks=1)
    for level, statements in enumerate(of, start=1):
        add_plans(made, level, 1, statements)
    if unknown is not None:
        made.store.execute(
            "insert into plans (run_id, treatment, block, place, unknown) values ('r', ?, 1, 0, ?)",
            [f"{VARIABLE}=1", unknown],
        )
    return made


def add_plans(
    made: Material, level: int, block: int, of: dict[str, list[Row]], parts: str | None = None
) -> None:
    place = 0
    for statement, steps in of.items():
        for *way, rows, extra in steps:
            place += 1
            made.store.execute(
                "insert into plans values ('r', ?, ?, ?, ?, ?, 'SIMPLE', ?, ?, ?, 5, ?, ?, ?, null)",
                [f"{VARIABLE}={level}", block, place, statement, statement, *way, parts, rows, extra],
            )


def test_another_way_and_far_more_rows_are_rows_of_the_table(tmp_path: Path) -> None:
    scan: Row = ("sbtest1", "ALL", None, 20_000, "Using where")
    by_index: Row = ("sbtest1", "ref", "k_1", 1, "")
    update: Row = ("sbtest1", "range", "PRIMARY", 100, "Using where")
    joined: list[Row] = [
        ("a", "ALL", None, 9, None),
        ("b", "eq_ref", "PRIMARY", 1, "Using index; Using where"),
    ]
    turned: list[Row] = [joined[0], ("b", "eq_ref", "PRIMARY", 1, "Using where; Using index")]
    made = planned(
        tmp_path,
        {SELECT: [scan], UPDATE: [update], JOIN: joined},
        {SELECT: [by_index], UPDATE: [(*update[:3], 150, update[4])], JOIN: turned},
        {SELECT: [by_index], UPDATE: [(*update[:3], 1000, update[4])], JOIN: turned[::-1]},
    )
    (table,) = tables(made)
    assert [row[:2] for row in table.rows] == [
        (SELECT, f"{VARIABLE}=2, {VARIABLE}=3"),
        (UPDATE, f"{VARIABLE}=3"),
        (JOIN, f"{VARIABLE}=3"),
    ]
    assert table.rows[0][2:] == ("ALL, 20,000 rows, Using where", "ref on k_1, 1 row")
    assert "a: ALL, 9 rows; b: eq_ref on PRIMARY, 1 row" in str(table.rows[2][2])
    (chinese,) = tables(replace(made, words=load_words("zh")))
    assert chinese.rows[0][3] == "ref，使用 k_1、1 行"


def test_equal_plans_are_one_line_and_unknown_ones_have_a_reason(tmp_path: Path) -> None:
    same: dict[str, list[Row]] = {SELECT: [("sbtest1", "ref", "k_1", 1, None)]}
    (table,) = tables(planned(tmp_path, same, same, unknown="the log cannot be read."))
    assert (table.rows, table.note) == ((), "")
    assert (
        table.empty
        == "1 statement has the same plan with every treatment. Plans are unknown: the log cannot be read."
    )


def test_a_plan_that_one_treatment_lacks_is_not_equal(tmp_path: Path) -> None:
    known: dict[str, list[Row]] = {SELECT: [("sbtest1", "ref", "k_1", 1, None)]}
    rare: dict[str, list[Row]] = {UPDATE: [("sbtest1", "ALL", None, 9, None)]}
    for place, (first, second) in enumerate([({**known, **rare}, known), (known, {**known, **rare})]):
        (table,) = tables(planned(tmp_path / str(place), first, second))
        assert table.rows == ()
        assert table.empty == (
            "1 statement has the same plan with every treatment."
            " Of 1 statement the plan is known with some treatments and not with all."
        )


def test_each_kind_of_load_has_its_own_baseline(tmp_path: Path) -> None:
    scan, by_index = [("a", "ALL", None, 9, None)], [("a", "ref", "k", 1, None)]
    of: list[dict[str, list[Row]]] = [{SELECT: scan}, {SELECT: scan}, {UPDATE: scan}, {UPDATE: by_index}]
    made = planned(tmp_path, *of)
    names = made.results.treatments
    kinds = tuple(WorkloadPart(str(at), {name: name for name in names[at : at + 2]}) for at in (0, 2))
    (table,) = tables(replace(made, results=replace(made.results, workloads=kinds)))
    assert [row[:2] for row in table.rows] == [(UPDATE, names[3])]
    assert "1 statement has the same plan" in str(table.note)


def test_a_plan_is_another_only_where_it_is_in_all_blocks(tmp_path: Path) -> None:
    scan, by_index = [("t", "ALL", None, 9, "Using where")], [("t", "ref", "k", 1, None)]
    first = {SELECT: scan, UPDATE: by_index, JOIN: scan}
    made = planned(tmp_path, first, {SELECT: by_index, UPDATE: by_index, JOIN: by_index})
    add_plans(made, 1, 2, first)
    add_plans(made, 2, 2, {SELECT: by_index, UPDATE: scan, JOIN: by_index})
    (table,) = tables(made)
    assert [row[0] for row in table.rows] == [SELECT, JOIN]
    assert "Of 1 statement the plan changes between blocks" in str(table.note)
    (doubt,) = unstable_plans(made.store)
    assert (doubt.kind, doubt.facts["treatment"]) == ("unstable-plan", f"{VARIABLE}=2")
    assert doubt.facts["ways"] == "t: ref k [1]; ALL Using where [2]"


def test_a_plan_that_uses_more_columns_of_the_key_is_another(tmp_path: Path) -> None:
    made, ref = planned(tmp_path), {SELECT: [("t", "ref", "ab", 5, None)]}
    add_plans(made, 1, 1, ref, "a,b")
    add_plans(made, 2, 1, ref, "a")
    (table,) = tables(made)
    assert table.rows[0][2:] == ("ref on ab, by a, b, 5 rows", "ref on ab, by a, 5 rows")


def test_results_of_earlier_versions_have_no_table(tmp_path: Path) -> None:
    assert tables(planned(tmp_path)) == []


def test_statements_that_one_of_two_treatments_sends_are_found(tmp_path: Path) -> None:
    way: list[Row] = [("t", "ref", "k", 1, None)]
    both = planned(tmp_path, {SELECT: way, JOIN: way}, {UPDATE: way, JOIN: way})
    (change,) = seen_plans(both).statements
    assert (change.before, change.after, change.blocks) == ((SELECT,), (UPDATE,), 1)
    assert not seen_plans(planned(tmp_path / "same", {SELECT: way}, {SELECT: way})).statements
    assert not seen_plans(planned(tmp_path / "unknown", {SELECT: way}, {})).statements, (
        "not known is not gone"
    )


def test_what_was_not_seen_in_a_part_of_a_load_may_be_sent_all_the_same(tmp_path: Path) -> None:
    way: list[Row] = [("t", "ref", "k", 1, None)]
    made = planned(
        tmp_path, {JOIN: way}, {UPDATE: way, JOIN: way, "COMMIT": [(None, None, None, None, None)]}
    )
    (change,) = seen_plans(made).statements
    assert (change.before, change.after) == ((), (UPDATE, "COMMIT"))
    made = planned(tmp_path / "partly", {JOIN: way}, {SELECT: way}, unknown="rare statements may be missing")
    (change,) = seen_plans(made).statements
    assert (change.before, change.after) == ((JOIN,), ())
