"""The audit of TPC-C's inputs: bounds, chance, and what is left out."""

from __future__ import annotations

import pytest
from assay.front.compat.tpcc_mysql.audit import audit

GOOD = {
    "orders": 100_000,
    "orders_rolled_back": 1_000,
    "order_lines": 1_000_000,
    "remote_lines": 10_000,
    "payments": 100_000,
    "remote_payments": 15_000,
    "payments_by_name": 60_000,
    "status_queries": 10_000,
    "status_queries_by_name": 6_000,
    "districts_delivered": 100_000,
    "districts_skipped": 10,
}
COUNTS = {
    "new_order": 10_000,
    "payment": 10_000,
    "order_status": 1_000,
    "delivery": 1_000,
    "stock_level": 1_000,
}


def verdicts(counters: dict[str, int], counts: dict[str, int], *, warehouses: int = 2) -> dict[str, str]:
    return {line.name: line.verdict for line in audit(counters, counts, warehouses=warehouses)}


def test_a_run_as_meant_is_within_all_bounds() -> None:
    assert set(verdicts(GOOD, COUNTS).values()) == {"ok"}


@pytest.mark.parametrize(
    ("counter", "count", "line"),
    [
        ("orders_rolled_back", 1_200, "orders rolled back"),
        ("order_lines", 1_060_000, "lines of an order"),
        ("remote_lines", 10_600, "lines of another warehouse"),
        ("remote_payments", 13_900, "payments of another warehouse"),
        ("payments_by_name", 63_100, "payments by name"),
        ("status_queries_by_name", 5_600, "order status by name"),
        ("districts_skipped", 2_000, "deliveries skipped"),
    ],
)
def test_a_figure_outside_its_bounds_is_named(counter: str, count: int, line: str) -> None:
    found = verdicts(GOOD | {counter: count}, COUNTS)
    assert found[line] == "outside"


def test_few_draws_are_not_judged_by_their_chance() -> None:
    few = GOOD | {"orders": 1_000, "orders_rolled_back": 13, "order_lines": 10_000, "remote_lines": 100}
    assert verdicts(few, COUNTS)["orders rolled back"] == "few"
    assert verdicts(few | {"orders_rolled_back": 40}, COUNTS)["orders rolled back"] == "outside"


def test_one_warehouse_has_no_other() -> None:
    assert not [name for name in verdicts(GOOD, COUNTS, warehouses=1) if "another" in name]


def test_a_mix_with_too_few_payments_is_outside() -> None:
    found = verdicts(GOOD, COUNTS | {"payment": 9_000})
    assert (found["share of payment"], found["share of delivery"]) == ("outside", "ok")


def test_nothing_counted_is_nothing_judged() -> None:
    assert set(verdicts({}, {}).values()) == {"few"}
