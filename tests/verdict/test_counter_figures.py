"""Figures of the counter ledger, of servers that spell a counter in different ways."""

from __future__ import annotations

import pytest
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.ledger.waits.counted import metric_names
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
    of_mariadb = figure.blocks(seen(Innodb_deadlocks=0.5), place, {})
    of_mysql = figure.blocks(seen(lock_deadlocks=0.25), place, {})
    assert (of_mariadb[0], of_mysql[0]) == ({1: 2.0}, {1: 1.0})
    assert of_mariadb[1] == of_mysql[1], "they can be compared"
    both = figure.blocks(seen(Innodb_deadlocks=0.5, lock_deadlocks=0.5), place, {})
    assert both == of_mariadb, "one event is counted once"
    assert figure.blocks(seen(), place, {}) == ({}, frozenset())


def test_statements_of_a_transaction_are_those_that_the_client_sent() -> None:
    figure = FIGURES["statements_per_transaction"]
    assert figure.blocks(seen(), Place("a", LOAD, "threads"), {})[0] == {1: 4.0}


def test_metrics_that_are_kept_are_those_that_figures_are_made_of() -> None:
    assert {name for one in counter_figures() for name in one.counted} == metric_names()
    figure, place = FIGURES["zipped_pages_per_transaction"], Place("a", LOAD, "threads")
    counts = {"compress_pages_compressed": {1: 2.0, 2: 3.0}, "compress_pages_decompressed": {1: 0.5}}
    assert figure.blocks(seen(), place, counts)[0] == {1: 2.5}
    assert figure.blocks(seen(), place, {}) == ({}, frozenset()), "not counted is not 0"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_has_a_name(language: str) -> None:
    words = load_words(language)
    assert all(words.get(f"ledger.figure.{one.name}", "") for one in counter_figures())
