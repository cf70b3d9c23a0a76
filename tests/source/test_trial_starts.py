"""Trial starts: what only a server that runs shows is found before any load, and each set is tried once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from assay.design.plan import Treatment
from assay.measurement.source import Trials
from assay.measurement.source.trial_starts import try_starts
from assay.system.server import Build, Instance
from assay.system.server.variables import NotInForce
from assay.testing.builders import treatment

POOL = "innodb_buffer_pool_size"


def tried(build: Build, server: Instance, sets: list[dict[str, str]], *, every: bool) -> list[str]:
    """Returns the treatments for which a server is started; the one that runs stands for each of them."""
    started: list[str] = []

    @contextmanager
    def start(one: Treatment) -> Iterator[Instance]:
        started.append(one.name)
        yield server

    named = [treatment(name=f"t{number}", variables=given) for number, given in enumerate(sets)]
    try_starts(build, named, lambda one: one.variables, start, Trials(every=every))
    return started


def test_each_set_of_variables_is_tried_once_and_only_words_where_not_every_one_is(
    mariadb_build: Build, mariadb: Instance
) -> None:
    sets: list[dict[str, str]] = [{}, {POOL: "64M"}, {POOL: "96M"}, {"sql_mode": "ANSI"}]
    first = tried(mariadb_build, mariadb, [*sets, sets[1]], every=False)
    assert "t3" in first  # a word: only a start tells
    assert "t0" not in first  # the study names none
    assert set(tried(mariadb_build, mariadb, sets, every=True)) <= {"t1", "t2"}
    assert tried(mariadb_build, mariadb, sets, every=True) == []


def test_a_variable_that_no_server_of_the_build_shows_is_refused_without_a_start(
    mariadb_build: Build, mariadb: Instance
) -> None:
    tried(mariadb_build, mariadb, [{POOL: "65M"}], every=True)  # the names that it reports are kept
    with pytest.raises(NotInForce, match=r"t0: .*debug_no_sync: the server has no such variable"):
        tried(mariadb_build, mariadb, [{"debug_no_sync": "ON"}], every=True)


def test_of_very_many_sets_those_are_tried_that_have_a_new_value(
    mariadb_build: Build, mariadb: Instance
) -> None:
    sets = [
        {"max_connections": f"{a}", "table_open_cache": f"{b}", "thread_cache_size": f"{c}"}
        for a in (41, 42, 43) for b in (201, 202, 203) for c in (3, 4)
    ]  # fmt: skip
    assert len(tried(mariadb_build, mariadb, sets, every=True)) < len(sets) / 2
