"""Variables of a running server that a run sets, and what the server has afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import ConflictError, InputError, ServerError
from assay.design.plan import Treatment
from assay.measurement.source.disk_budget import DiskBudget
from assay.measurement.source.running import ExistingServer
from assay.measurement.source.set_for_a_run import check_settable, set_for_a_run
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Address, Instance
from assay.testing import treatment

pytestmark = pytest.mark.live
HAD = {"innodb_io_capacity": "200", "innodb_io_capacity_max": "2000", "long_query_time": "10.000000"}


@pytest.fixture
def address(mariadb: Instance) -> Iterator[Address]:
    """The shared server, with the values of HAD."""
    there = replace(mariadb.address, database="assay")
    before = values(there)
    yield there
    assert values(there) == before == HAD
    assert not list((Path(os.environ["ASSAY_HOME"]) / "set").glob("*.json"))


def values(address: Address) -> dict[str, str]:
    with closing(address.connect()) as connection:
        rows = connection.rows(
            "SHOW GLOBAL VARIABLES WHERE Variable_name IN (" + ",".join(map(repr, HAD)) + ")"
        )
    return {str(name): str(value) for name, value in rows}


def test_they_hold_for_the_run_alone(address: Address) -> None:
    # In this order alone they are accepted; back they go the other way round.
    with set_for_a_run(address, {"innodb_io_capacity_max": 9000, "innodb_io_capacity": 8000}):
        assert values(address)["innodb_io_capacity"] == "8000"
    with set_for_a_run(address, {}):
        pass


@pytest.mark.parametrize("raised", [RuntimeError, KeyboardInterrupt])
def test_they_are_put_back_however_the_run_ends(address: Address, raised: type[BaseException]) -> None:
    def run() -> None:
        with set_for_a_run(address, {"long_query_time": 3}):
            assert values(address)["long_query_time"] == "3.000000"
            raise raised

    with pytest.raises(raised):
        run()


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ({"innodb_io_capacity": "no number"}, "innodb_io_capacity = no number"),
        ({"performance_schema": True}, "is a read only variable"),
        ({"no_such_variable": 1}, "no_such_variable"),
    ],
)
def test_one_that_is_refused_takes_the_others_with_it(
    address: Address, second: Mapping[str, str | int], words: str
) -> None:
    with pytest.raises(ServerError, match=words), set_for_a_run(address, {"long_query_time": 3, **second}):
        raise AssertionError("the run has begun")


def test_what_a_killed_lab_left_is_put_back_first(address: Address) -> None:
    child = os.fork()
    if child == 0:
        with set_for_a_run(address, {"long_query_time": 3}):
            os._exit(0)
    os.waitpid(child, 0)
    assert values(address)["long_query_time"] == "3.000000"
    with set_for_a_run(address, {"innodb_io_capacity": 300}):
        assert values(address) == {**HAD, "innodb_io_capacity": "300"}


def test_a_server_that_is_away_is_given_it_later(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> None:
        with set_for_a_run(address, {"long_query_time": 3}):
            monkeypatch.setattr(Address, "connect", _refused)

    with pytest.raises(ServerError, match="was not given back what it had") as caught:
        run()
    monkeypatch.undo()
    assert "SET GLOBAL long_query_time = '10.000000'" in (caught.value.hint or "")
    assert values(address)["long_query_time"] == "3.000000"
    with set_for_a_run(address, {"long_query_time": 4}):
        pass


def _refused(*_: object, **__: object) -> None:
    raise ServerError("nobody answers")


def test_two_labs_do_not_set_variables_of_one_server(address: Address, tmp_path: Path) -> None:
    """By whichever address they reach it."""
    assert address.socket is not None
    (tmp_path / "s").symlink_to(address.socket)
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(set_for_a_run(address, {"long_query_time": 3}))
        with pytest.raises(ConflictError, match="another study sets variables"):
            second.enter_context(
                set_for_a_run(replace(address, socket=tmp_path / "s"), {"long_query_time": 4})
            )
        assert values(address)["long_query_time"] == "3.000000"


@pytest.mark.parametrize(
    ("grants", "is_allowed"),
    [
        ("GRANT ALL ON *.* TO some@localhost", True),
        ("GRANT SUPER ON *.* TO some@localhost", True),
        ("GRANT CONNECTION ADMIN ON *.* TO some@localhost", True),
        ("GRANT ALL ON assay.* TO some@localhost", False),
        ("GRANT SELECT, INSERT ON *.* TO some@localhost", False),
    ],
)
def test_a_plan_looks_for_the_right_and_sets_nothing(address: Address, grants: str, is_allowed: bool) -> None:
    asked = [treatment(dynamic={"long_query_time": 3})]
    server = ExistingServer(replace(address, user="some"), Interrupts())
    with closing(address.connect()) as root:
        root.rows("CREATE USER some@localhost", columns=0)
        try:
            root.rows(grants, columns=0)
            _check(server, asked, is_allowed)
        finally:
            root.rows("DROP USER some@localhost", columns=0)


def _check(server: ExistingServer, asked: list[Treatment], is_allowed: bool) -> None:
    if is_allowed:
        server.check(asked, DiskBudget(), trying=False)
        return
    with pytest.raises(InputError, match="may not set global variables"):
        server.check(asked, DiskBudget(), trying=False)


def test_a_name_that_the_server_lacks_is_answered_with_the_nearest(address: Address) -> None:
    with (
        closing(address.connect()) as connection,
        pytest.raises(InputError, match=r'server.dynamic.long_querytime: .* did you mean "long_query_time"'),
    ):
        check_settable(connection, [treatment(dynamic={"long_querytime": 3})], address)
