"""Figures of the counter ledger, of servers that spell a counter in different ways."""

from __future__ import annotations

from assay.results.verdict.compared import Place
from assay.results.verdict.observations import Observations
from assay.results.verdict.why.figures import counter_figures

LOAD = 8.0
FIGURES = {one.name: one for one in counter_figures()}


def seen(**counters: float) -> Observations:
    rates = {"tps": 10.0, "qps": 40.0}
    measures = {**{f"{name}_per_query": value for name, value in counters.items()}, **rates}
    return Observations({(name, "a", LOAD): {1: value} for name, value in measures.items()}, {})


def test_a_counter_is_the_first_of_its_names_that_a_server_has() -> None:
    figure, place = FIGURES["deadlocks_per_transaction"], Place("a", LOAD, "threads")
    of_mariadb = figure.blocks(seen(Innodb_deadlocks=0.5), place)
    of_mysql = figure.blocks(seen(lock_deadlocks=0.25), place)
    assert (of_mariadb[0], of_mysql[0]) == ({1: 2.0}, {1: 1.0})
    assert of_mariadb[1] == of_mysql[1], "they can be compared"
    both = figure.blocks(seen(Innodb_deadlocks=0.5, lock_deadlocks=0.5), place)
    assert both == of_mariadb, "one event is counted once"
    assert figure.blocks(seen(), place) == ({}, frozenset())


def test_statements_of_a_transaction_are_those_that_the_client_sent() -> None:
    figure = FIGURES["statements_per_transaction"]
    assert figure.blocks(seen(), Place("a", LOAD, "threads"))[0] == {1: 4.0}
