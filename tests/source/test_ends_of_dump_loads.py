"""Loads of dumps that do not come to their end: what is said of them, and what is left."""

from __future__ import annotations

import gzip
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import AssayError, InputError, Interrupted, ServerError, ServerLost
from assay.design.folder import Event
from assay.design.plan import OwnData
from assay.design.study import digest_of
from assay.measurement.source.dataset import dataset_key, datasets_dir, ensure_dataset
from assay.measurement.source.dataset.own_tables import Loading, dump_of
from assay.measurement.source.last_words import last_words
from assay.system.engine import jobs, run_job
from assay.system.engine.interrupts import Interrupts
from assay.system.server import Build, Instance, snapshot_copy
from mounts import in_memory, mounted

pytestmark = pytest.mark.live

TABLE = "CREATE TABLE a (id int PRIMARY KEY, t longtext) ENGINE=InnoDB;\n"
SLOW = "".join(f"INSERT INTO a VALUES ({row},SLEEP(0.2));\n" for row in range(500))
"""A hundred seconds of a load."""
OTHERS = "FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND user = 'root'"
FIRST = "INSERT INTO a VALUES (1,'x');\n"

New = Callable[..., Instance]


@pytest.fixture(scope="module")
def new(
    mariadb_build: Build, fresh_data: Path, assay_home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[New]:
    started: list[Instance] = []
    tmp_path = tmp_path_factory.mktemp("ends")

    def make(place: Path = assay_home, /, **variables: int | str) -> Instance:
        data = place / f"ends-{os.getpid()}-{time.monotonic_ns()}"
        snapshot_copy(fresh_data, data)
        server = Instance(mariadb_build, data, variables, tmp_path / "server.log", tmp_path / "my.cnf")
        server.start()
        started.append(server)
        return server

    yield make
    for server in started:
        server.stop()


@pytest.fixture(scope="module")
def small(new: New) -> Instance:
    """A server that takes statements of at most a MiB."""
    return new(max_allowed_packet=1 << 20, local_infile="ON")


@pytest.fixture
def loads(small: Instance) -> Iterator[Instance]:
    """The server of `small`, for tables in `mine`."""
    yield small
    with closing(small.connect()) as admin, admin.cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS mine")


def _own(path: Path, text: str) -> OwnData:
    path.write_text(text)
    return OwnData(f"dump:{path}", str(path), "", "mine")


def _once_it_loads(server: Instance, words: str, act: Callable[[], None]) -> threading.Thread:
    """Acts when a statement with these words is under way."""

    def wait() -> None:
        with closing(server.connect()) as admin:
            while not admin.rows(f"SELECT 1 {OTHERS} AND info LIKE '{words}%'"):
                time.sleep(0.02)
        act()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "end"),
    [(signal.SIGKILL, "the server was ended by signal 9"), (signal.SIGTERM, "the server ended")],
)
def test_a_server_that_ends_leaves_no_dataset_and_the_next_load_begins_anew(
    number: int, end: str, mariadb_build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = _own(tmp_path / "killed.sql", f"{TABLE}INSERT INTO a VALUES ({number},SLEEP(1));\n")
    own = replace(own, digest=digest_of(Path(own.place)))
    key = dataset_key(mariadb_build.key, f"own-{number}", {}, {}, own=own)
    more = {"max_allowed_packet": "32M"}  # than is usual, which a load has in any case
    load, ends, packets = Loading.carry_out, [number], set()

    def ended(loading: Loading, server: Instance) -> object:
        if ends:
            _once_it_loads(server, "INSERT INTO a", lambda: os.kill(server.pid, ends.pop()))
        with closing(server.connect()) as admin:
            packets.update(value for (value,) in admin.rows("SELECT @@max_allowed_packet"))
        return load(loading, server)

    monkeypatch.setattr(Loading, "carry_out", ended)
    with (
        pytest.raises(ServerLost, match=rf"killed\.sql:2: INSERT INTO a .*; {end}") as told,
        ensure_dataset(mariadb_build, key, more, interrupts=Interrupts()),
    ):
        pass
    assert told.value.detail  # of its log
    assert not [one for one in datasets_dir().glob(f"*{key.id}*") if one.suffix != ".lock"]
    assert not ends
    with ensure_dataset(mariadb_build, key, more, interrupts=Interrupts()) as dataset:
        assert dataset.manifest.rows == 1
    assert packets == {1 << 30}


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        (SLOW, "INSERT INTO a VALUES"),
        (f"{FIRST}INSERT INTO a SELECT 2, SLEEP(90);\n", "INSERT INTO a SELECT"),
        (f"{FIRST}DO SLEEP(90);\n", "DO"),  # sent after the rows, as indexes are that are made then
    ],
    ids=["rows", "one", "last"],
)
def test_an_interrupt_ends_a_load_at_once(rest: str, words: str, loads: Instance, tmp_path: Path) -> None:
    own = _own(tmp_path / "ended.sql", TABLE + rest)
    interrupts = Interrupts()
    with interrupts:
        _once_it_loads(loads, words, lambda: os.kill(os.getpid(), signal.SIGINT))
        start = time.monotonic()
        with pytest.raises(Interrupted):
            Loading(loads.build, own, interrupts).carry_out(loads)
    assert time.monotonic() - start < 30
    _require_rest(loads)


def test_a_refusal_ends_what_the_other_connections_have_under_way(loads: Instance, tmp_path: Path) -> None:
    long = "x" * (600 << 10)  # two are a batch, which one connection takes
    slow = "".join(f"INSERT INTO b VALUES ({row},CONCAT('{long}',SLEEP(60)));\n" for row in range(2))
    wrong = f"{FIRST}INSERT INTO a VALUES (1,SLEEP(1));\n"
    both = f"{TABLE}{TABLE.replace(' a ', ' b ')}"
    own = _own(tmp_path / "refused.sql", both + slow + wrong)
    with pytest.raises(ServerError, match=r"refused\.sql:\d+: "):
        Loading(loads.build, own, Interrupts()).carry_out(loads)
    _require_rest(loads)


def _require_rest(server: Instance) -> None:
    """Fails where the server still carries out a statement of the engine's."""
    deadline = time.monotonic() + 2
    with closing(server.connect()) as admin:
        while left := admin.rows(f"SELECT info {OTHERS} AND info IS NOT NULL"):
            assert time.monotonic() < deadline, left
            time.sleep(0.05)


def test_a_server_without_room_names_the_statement(new: New, tmp_path: Path) -> None:
    server = new(innodb_file_per_table="OFF", innodb_data_file_path="ibdata1:12M")
    rows = "".join(f"INSERT INTO a VALUES ({row},'{'x' * 100_000}');\n" for row in range(200))
    with pytest.raises(ServerError, match=r"full\.sql:\d+: .*1114.* is full") as told:
        Loading(server.build, _own(tmp_path / "full.sql", TABLE + rows), Interrupts()).carry_out(server)
    assert "innodb_data_file_path" in str(told.value.hint)


@pytest.mark.long
def test_a_full_disk_is_named(new: New, assay_home: Path, tmp_path: Path) -> None:
    own = _own(
        tmp_path / "full.sql",
        TABLE + "".join(f"INSERT INTO a VALUES ({row},'{'x' * 200_000}');\n" for row in range(400)),
    )
    with mounted(assay_home / "small", *in_memory(assay_home / "small", 80 << 20)) as place:
        place.chmod(0o755)
        server = new(place)
        try:
            with pytest.raises(AssayError, match=r"full\.sql:\d+: ") as told, last_words(server):
                Loading(server.build, own, Interrupts()).carry_out(server)
        finally:
            server.stop()
    assert "make room" in str(told.value.hint), told.value


LONG = ",\n".join(f"({row},'{'x' * 1000}')" for row in range(3000))


@pytest.mark.parametrize(
    ("head", "tail"),
    [
        ("INSERT INTO a VALUES", ""),
        ("REPLACE INTO a VALUES", ""),
        ("INSERT INTO a (id, t) VALUES", " ON DUPLICATE KEY UPDATE t = VALUES(t), id = VALUES(id)"),
    ],
    ids=["insert", "replace", "update"],
)
def test_a_statement_longer_than_the_server_takes_is_loaded_in_parts(
    head: str, tail: str, loads: Instance, tmp_path: Path
) -> None:
    own = _own(tmp_path / "long.sql", f"{TABLE}{head} {LONG}{tail};\n")
    Loading(loads.build, own, Interrupts()).carry_out(loads)
    with closing(loads.connect()) as admin:
        assert admin.rows("SELECT COUNT(*), MIN(LENGTH(t)) FROM mine.a") == [(3000, 1000)]


def test_parts_of_a_statement_are_one_to_who_asks_for_its_first_number(
    loads: Instance, tmp_path: Path
) -> None:
    text = TABLE.replace("PRIMARY", "AUTO_INCREMENT PRIMARY")
    rows = ",".join(f"('{'x' * 1000}')" for _ in range(3000))
    asked = "INSERT INTO a VALUES (5000, LAST_INSERT_ID());\n"
    own = _own(tmp_path / "first.sql", f"{text}{FIRST}INSERT INTO a (t) VALUES {rows};\n{asked}")
    Loading(loads.build, own, Interrupts()).carry_out(loads)
    with closing(loads.connect()) as admin:
        assert admin.rows("SELECT COUNT(*), MAX(IF(id = 5000, t, '')) FROM mine.a") == [(3002, "2")]


def test_rows_of_files_need_no_long_packet(loads: Instance, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "schema.sql").write_text(TABLE)
    (tmp_path / "shop" / "a.csv").write_text(
        "id,t\n" + "".join(f"{row},{'x' * 1000}\n" for row in range(3000))
    )
    own = OwnData(f"dump:{tmp_path / 'shop'}", str(tmp_path / "shop"), "", "mine")
    Loading(loads.build, own, Interrupts()).carry_out(loads)
    with closing(loads.connect()) as admin:
        assert admin.rows("SELECT COUNT(*) FROM mine.a") == [(3000,)]


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (f"INSERT INTO a VALUES\n(1,'x'),\n(2,'{'x' * (2 << 20)}')", "row 2 of INSERT INTO a VALUES"),
        (f"INSERT INTO a SET id = 1, t = '{'x' * (2 << 20)}'", "INSERT INTO a SET id = 1"),
    ],
    ids=["values", "set"],
)
def test_a_row_longer_than_the_server_takes_is_named(
    statement: str, words: str, loads: Instance, tmp_path: Path
) -> None:
    own = _own(tmp_path / "row.sql", f"{TABLE}{statement};\n")
    with pytest.raises(ServerError, match=rf"row\.sql:2: {words}.*max_allowed_packet .*1,048,576"):
        Loading(loads.build, own, Interrupts()).carry_out(loads)


RIGHTS = [
    ("CREATE TRIGGER tr BEFORE INSERT ON a FOR EACH ROW SET NEW.t = 'x'", "TRIGGER ON mine.*"),
    ("LOCK TABLES a WRITE; INSERT INTO a VALUES (2, LAST_INSERT_ID())", "LOCK TABLES ON mine.*"),
    ("LOAD DATA INFILE '/rows' INTO TABLE a", "FILE ON *.*"),
    ("SET SESSION binlog_format = ROW", "BINLOG ADMIN ON *.*"),
    ("CREATE PROCEDURE p() SELECT 1", "CREATE ROUTINE ON mine.*"),
    ("INSERT INTO a SELECT 1, t FROM other.a", "SELECT ON other.*"),
]


def test_a_right_that_lacks_is_named(loads: Instance, tmp_path: Path) -> None:
    with closing(loads.connect()) as admin, admin.cursor() as cursor:
        cursor.execute("CREATE DATABASE mine")
        cursor.execute("CREATE USER some@localhost")
        cursor.execute("GRANT SELECT, INSERT, CREATE, DROP ON mine.* TO some@localhost")
    address = replace(loads.address, user="some", database="mine")
    for statement, right in RIGHTS:
        own = _own(tmp_path / "rights.sql", f"DROP TABLE IF EXISTS a;\n{TABLE}{FIRST}{statement};\n")
        dump, _ = dump_of(own)
        job = jobs.job(
            "prepare", target=jobs.target(address), workload=own.use, options={}, seed=0, dump=dump
        )
        error = run_job(job, interrupts=Interrupts()).error
        assert isinstance(error, ServerError), (statement, error)
        assert error.message.startswith("rights.sql:4: "), error.message
        assert f"(GRANT {right} TO …)" in str(error.hint), (statement, error.hint)


def _grows(file: Path) -> None:
    with file.open("ab") as more:
        more.write(b"-- more\n")


def _is_another(file: Path) -> None:
    times = file.stat().st_mtime_ns
    other = file.with_suffix(".other")
    other.write_bytes(file.read_bytes())
    os.utime(other, ns=(times, times))
    other.rename(file)


@pytest.mark.parametrize("act", [_grows, Path.unlink, _is_another])
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_file_that_changes_while_it_is_loaded_is_refused(
    act: Callable[[Path], None], is_packed: bool, loads: Instance, tmp_path: Path
) -> None:
    own = _own(tmp_path / "changed.sql", f"{TABLE}INSERT INTO a VALUES (1,SLEEP(0.3));\n")
    file = Path(own.place)
    if is_packed:
        file.write_bytes(gzip.compress(file.read_bytes()))

    def hear(event: Event) -> None:
        if getattr(event, "phase", None) == "load" and not acted:
            acted.append(act(file))

    acted: list[None] = []
    with pytest.raises(InputError, match=r"cannot read changed\.sql: (?:it has changed|No such file)"):
        Loading(loads.build, own, Interrupts(), on_event=hear).carry_out(loads)
    assert acted


def test_data_that_changed_since_the_study_was_read_are_not_loaded(
    mariadb_build: Build, tmp_path: Path
) -> None:
    own = _own(tmp_path / "later.sql", TABLE)
    own = replace(own, digest=digest_of(Path(own.place)))
    key = dataset_key(mariadb_build.key, "own-later", {}, {}, own=own)
    _grows(Path(own.place))
    with (
        pytest.raises(InputError, match=r"later\.sql has changed since this command read it first"),
        ensure_dataset(mariadb_build, key, {}, interrupts=Interrupts()),
    ):
        pass
