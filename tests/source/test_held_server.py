"""A running server whose variables a study sets, and what the server has afterwards."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import ConflictError, InputError, ServerError
from assay.measurement.run.sweep import sweep
from assay.measurement.source.disk_budget import DiskBudget
from assay.measurement.source.held_server import held
from assay.measurement.source.kept_variables import sweep_variables
from assay.measurement.source.running import ExistingServer
from assay.measurement.source.settable import check_settable
from assay.measurement.source.trial_starts import Trials
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Address, Instance
from assay.testing import treatment

pytestmark = pytest.mark.live
HAD = {
    "init_connect": "",
    "innodb_io_capacity": "200",
    "innodb_io_capacity_max": "2000",
    "long_query_time": "10.000000",
    "sort_buffer_size": "2097152",
}
KILLS = int(os.environ.get("ASSAY_KILLS", "4"))


@pytest.fixture
def address(mariadb: Instance) -> Iterator[Address]:
    """The shared server, with the values of HAD."""
    there = replace(mariadb.address, database="assay")
    before = values(there)
    yield there
    assert values(there) == before == HAD
    assert not records()


def records() -> list[Path]:
    return list((Path(os.environ["ASSAY_HOME"]) / "set").glob("*.json"))


def ask(address: Address, sql: str) -> list[tuple[object, ...]]:
    with closing(address.connect()) as connection:
        return connection.rows(sql, columns=0)


def values(address: Address) -> dict[str, str]:
    names = ",".join(map(repr, HAD))
    rows = ask(address, f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names})")
    return {str(name): str(value) for name, value in rows}


def set_and(address: Address, wanted: Mapping[str, str | int], then: Callable[[], object]) -> list[str]:
    """Calls `then` while the server has these values; returns what was said."""
    with held(address) as server:
        with server.set(wanted):
            then()
        return server.said


def forked(what: Callable[[], object]) -> int:
    """Returns the pid of a process that does this, and nothing at its end."""
    child = os.fork()
    if child == 0:
        try:
            what()
        finally:
            os._exit(0)
    return child


def test_they_hold_for_the_run_alone_and_others_that_moved_are_given_back(address: Address) -> None:
    # In this order alone they are accepted; back they go the other way round.
    wanted = {"innodb_io_capacity_max": 9000, "innodb_io_capacity": 8000}
    assert set_and(address, wanted, lambda: values(address)["innodb_io_capacity"] == "8000") == []
    seen: list[str] = []
    set_and(
        address, {"innodb_io_capacity_max": 150}, lambda: seen.append(values(address)["innodb_io_capacity"])
    )
    assert seen == ["150"]
    set_and(address, {}, lambda: None)


@pytest.mark.parametrize("raised", [RuntimeError, KeyboardInterrupt])
def test_they_are_given_back_however_the_run_ends(address: Address, raised: type[BaseException]) -> None:
    def run() -> None:
        assert values(address)["long_query_time"] == "3.000000"
        raise raised

    with pytest.raises(raised):
        set_and(address, {"long_query_time": 3}, run)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ({"innodb_io_capacity": "no number"}, "innodb_io_capacity = no number"),
        ({"performance_schema": True}, "is a read only variable"),
        ({"no_such_variable": 1}, "no_such_variable"),
        ({"sort_buffer_size": 1}, "sort_buffer_size"),  # clamped
    ],
)
def test_one_that_is_refused_takes_the_others_with_it(
    address: Address, second: Mapping[str, str | int], words: str
) -> None:
    with pytest.raises(ServerError, match=words):
        set_and(address, {"long_query_time": 3, **second}, lambda: pytest.fail("the run has begun"))


def test_a_connection_that_has_another_value_ends_the_study(address: Address) -> None:
    ask(address, "CREATE USER plain@localhost")  # without SUPER what init_connect says is carried out
    plain = replace(address, user="plain")
    try:
        ask(address, "SET GLOBAL init_connect = 'SET SESSION sort_buffer_size = 65536'")
        with held(address) as server:
            server.address = plain
            with pytest.raises(ServerError, match="sort_buffer_size was set to 2097152, and a connection"):
                server._check_sessions({"sort_buffer_size": "2097152"})
            server.address = address
    finally:
        ask(address, "SET GLOBAL init_connect = ''")
        ask(address, "DROP USER plain@localhost")


def test_a_study_that_is_killed_at_any_moment_leaves_what_the_next_command_gives_back(
    address: Address,
) -> None:
    def study() -> None:
        while True:
            set_and(address, {"long_query_time": 3, "innodb_io_capacity_max": 150}, lambda: time.sleep(0.02))

    chance = random.Random(48)
    found = 0
    for _ in range(KILLS):
        child = forked(study)
        time.sleep(0.3 + chance.random() * 0.2)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        left = bool(records())
        said = sweep()
        assert values(address) == HAD, said
        assert any("gave the server at" in line for line in said) is left, said
        found += left
    child = forked(
        lambda: set_and(address, {"long_query_time": 3}, lambda: os._exit(0))
    )  # at the worst moment
    os.waitpid(child, 0)
    assert values(address)["long_query_time"] == "3.000000"
    record = records()[0].read_bytes()
    assert b"long_query_time" in record
    assert address.password is None or address.password.encode() not in record
    # A study that begins there needs no other command in between.
    set_and(
        address, {"innodb_io_capacity": 300}, lambda: values(address) == {**HAD, "innodb_io_capacity": "300"}
    )


def test_a_server_that_is_away_is_given_it_later(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        monkeypatch.setattr(Address, "connect", _refused)

    with pytest.raises(ServerError, match="was not given back what it had") as caught:
        set_and(address, {"long_query_time": 3}, away)
    by_hand = "SET GLOBAL long_query_time = 10.000000"
    assert by_hand in (caught.value.hint or "")
    (line,) = sweep_variables()
    assert by_hand in line
    monkeypatch.undo()
    assert values(address)["long_query_time"] == "3.000000"
    assert "gave the server at" in sweep_variables()[0]


def _refused(*_: object, **__: object) -> None:
    raise ServerError("nobody answers")


def test_what_somebody_else_has_set_is_left_alone(address: Address) -> None:
    said = set_and(
        address,
        {"long_query_time": 3, "innodb_io_capacity": 300},
        lambda: ask(address, "SET GLOBAL long_query_time = 5"),
    )
    assert said[0].startswith("long_query_time at")
    assert all("is left at 5.000000" in line for line in said)  # it has a second name
    assert values(address) == {**HAD, "long_query_time": "5.000000"}
    ask(address, "SET GLOBAL long_query_time = 10")


def test_a_server_that_was_started_since_has_its_own_values(address: Address) -> None:
    def older() -> None:
        (file,) = records()
        record = msgspec.json.decode(file.read_bytes())
        file.write_bytes(msgspec.json.encode({**record, "started": record["started"] - 100}))

    set_and(address, {"long_query_time": 3}, older)
    assert values(address)["long_query_time"] == "3.000000"
    ask(address, "SET GLOBAL long_query_time = 10")


def test_one_study_at_a_time_holds_a_server(
    address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whichever address, of whichever lab."""
    assert address.socket is not None
    (tmp_path / "s").symlink_to(address.socket)
    other = replace(address, socket=tmp_path / "s")
    with held(address) as first, held(other) as again:  # two treatments of one study
        assert first is again
        child = forked(lambda: _try_to_hold(other, tmp_path / "here"))
        os.waitpid(child, 0)
        monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "elsewhere"))
        child = forked(lambda: _try_to_hold(other, tmp_path / "there"))
        os.waitpid(child, 0)
        monkeypatch.undo()
    assert "another study of this machine" in (tmp_path / "here").read_text()
    assert "another study of another machine or account" in (tmp_path / "there").read_text()
    assert sweep_variables() == []


def _try_to_hold(address: Address, answer: Path) -> None:
    from assay.measurement.source import held_server

    held_server._HELD.clear()  # a process of its own
    try:
        with held(address):
            answer.write_text("held")
    except ConflictError as error:
        answer.write_text(error.message)


@pytest.mark.parametrize(
    ("grants", "variable", "is_enough"),
    [
        (["GRANT ALL ON *.* TO some@localhost"], "long_query_time", True),
        (["GRANT CONNECTION ADMIN, SELECT ON *.* TO some@localhost"], "max_connections", True),
        (["GRANT CONNECTION ADMIN, SELECT ON *.* TO some@localhost"], "long_query_time", False),
        (["GRANT ALL ON assay.* TO some@localhost"], "sync_binlog", False),
        ([], "innodb_io_capacity", False),
    ],
)
def test_a_plan_names_the_grant_that_is_missing_and_sets_nothing(
    address: Address, grants: list[str], variable: str, is_enough: bool
) -> None:
    asked = [treatment(dynamic={variable: 1})]
    server = ExistingServer(replace(address, user="some"), Interrupts())
    ask(address, "CREATE USER some@localhost")
    try:
        for grant in grants:
            ask(address, grant)
        if not is_enough:
            with pytest.raises(ServerError, match=f"may not set {variable}") as refused:
                server.check(asked, DiskBudget(), trying=False)
            ask(address, refused.value.hint or "")
        server.check(asked, DiskBudget(), trying=False)
    finally:
        ask(address, "DROP USER some@localhost")


def test_the_grants_that_a_plan_names_are_enough_for_the_study(address: Address) -> None:
    server = ExistingServer(replace(address, user="some"), Interrupts())
    ask(address, "CREATE USER some@localhost")
    said: list[str] = []
    refused: list[str] = []
    try:
        while len(refused) < 3:
            try:
                server.check(
                    [treatment(dynamic={"max_connections": 99})],
                    DiskBudget(),
                    trying=False,
                    trials=Trials(every=True, step=said.append),
                )
                break
            except ServerError as error:
                refused.append(error.message)
                ask(address, error.hint or "")
    finally:
        ask(address, "DROP USER some@localhost")
    of_variables, of_tables = refused
    assert "may not set max_connections" in of_variables
    assert "it has no SELECT, INSERT, UPDATE, DELETE in assay" in of_tables
    assert any("GRANT PROCESS ON *.* TO 'some'@'localhost'" in line for line in said)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("long_querytime", r'server.dynamic.long_querytime: .* did you mean "long_query_time"'),
        ("innodb_log_buffer_size", "cannot be set while a server runs"),
    ],
)
def test_a_name_that_no_server_can_be_given_is_refused_by_the_plan(
    address: Address, name: str, words: str
) -> None:
    with closing(address.connect()) as connection, pytest.raises(InputError, match=words):
        check_settable(connection, [treatment(dynamic={name: 3})], address)
