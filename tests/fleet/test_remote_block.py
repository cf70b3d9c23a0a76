"""What a coordinator takes from an agent that carries a block out, and what it refuses."""

from __future__ import annotations

import errno
import hashlib
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from agent_process import TOKEN
from assay.base.errors import HostError, InputError
from assay.measurement.fleet import (
    AgentAddress,
    RemoteBlock,
    UnkeptFile,
    block_hosts,
    make_token,
    read_fleet_file,
)
from assay.measurement.fleet.agents.agent import Agent
from assay.measurement.fleet.agents.channel import Channel
from assay.measurement.fleet.agents.hosted_block import finished_files
from assay.measurement.fleet.agents.remote_block import _write

_LAB = """
import json, os, sys
order = json.loads(sys.stdin.readline())
runs = os.path.join(order["folder"], "runs")
for name, files in order["runs"].items():
    for file, text in files.items():
        path = os.path.join(runs, name, file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").write(text)
print("a line", flush=True)
sys.exit(order["code"])
"""


@contextmanager
def _agent(*, lab: list[str] | None) -> Iterator[AgentAddress]:
    agent = Agent("127.0.0.1", 0, TOKEN, lab=lab)
    thread = threading.Thread(target=agent.serve)
    thread.start()
    try:
        yield AgentAddress("h1", "127.0.0.1", agent.port)
    finally:
        agent.close()
        thread.join()


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def _order(runs: dict[str, dict[str, str]], code: int = 0) -> dict[str, Any]:
    return {"runs": runs, "code": code}


def test_files_of_finished_runs_come_whole(tmp_path: Path, own_home: Path) -> None:
    large = "ü" * 400_000
    order = _order(
        {
            "b01-01-a": {"run.json": "{}", "rungs/01/events.jsonl": large, "empty": ""},
            ".b01-01-a.failed-1": {"run.json": "{}"},
            ".b01-02-b.unfinished": {"run.json": "{}"},
            "b01-03-c": {"my.cnf": "no manifest: it is not over"},
        }
    )
    lines: list[bytes] = []
    with _agent(lab=[sys.executable, "-c", _LAB]) as at:
        arrived = RemoteBlock(at, TOKEN, order, tmp_path / "in", lines.append).carry_out()
    assert lines == [b"a line\n"]
    assert {(one.run_id, one.why) for one in arrived} == {("b01-01-a", None), ("b01-01-a", "failed")}
    here = tmp_path / "in" / "b01-01-a"
    assert (here / "rungs/01/events.jsonl").read_text() == large
    assert (here / "empty").read_bytes() == b""
    assert not (tmp_path / "in" / "b01-03-c").exists()
    assert not list((own_home / "blocks").iterdir())


def test_a_lab_that_breaks_off_is_a_lost_block(tmp_path: Path) -> None:
    with (
        _agent(lab=[sys.executable, "-c", _LAB]) as at,
        pytest.raises(HostError, match="the lab on h1 ended with exit code 3"),
    ):
        RemoteBlock(at, TOKEN, _order({}, code=3), tmp_path, lambda line: None).carry_out()


def test_an_agent_starts_no_lab_unless_it_was_told_so(tmp_path: Path) -> None:
    with _agent(lab=None) as at, pytest.raises(HostError, match="start it with --servers"):
        RemoteBlock(at, TOKEN, _order({}), tmp_path, lambda line: None).carry_out()


def _sends(channel: Channel, name: str, content: bytes, digest: str | None = None, size: int = -1) -> None:
    channel.send({"file": name, "bytes": len(content) if size < 0 else size})
    channel.send_lines(content)
    channel.send({"whole": name, "sha256": digest or hashlib.sha256(content).hexdigest()})


@pytest.mark.parametrize(
    ("acts", "words"),
    [
        (lambda c: _sends(c, "../out", b"x"), "sent a file of no run"),
        (lambda c: _sends(c, "/etc/out", b"x"), "sent a file of no run"),
        (lambda c: _sends(c, "b01/../../out", b"x"), "sent a file of no run"),
        (lambda c: _sends(c, "out", b"x"), "sent a file of no run"),
        (lambda c: _sends(c, "b01/out", b"x", digest="0" * 64), "did not come whole"),
        (lambda c: _sends(c, "b01/out", b"xyz", size=2), "sent more of a file than it announced"),
        (lambda c: c.close(), "the connection to the agent of h1 .* is lost"),
    ],
)
def test_what_is_not_as_announced_is_refused(
    acts: Callable[[Channel], None], words: str, tmp_path: Path
) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            channel = Channel(connection, TOKEN, calls=False)
            channel.message()
            channel.send({"pid": 1})
            acts(channel)
            while True:
                channel.message()

    thread = threading.Thread(target=serve)
    thread.start()
    at = AgentAddress("h1", "127.0.0.1", listener.getsockname()[1])
    into = tmp_path / "results" / "in"
    into.mkdir(parents=True)
    with listener, pytest.raises(HostError, match=words):
        RemoteBlock(at, TOKEN, _order({}), into, lambda line: None).carry_out()
    thread.join()
    assert not (into.parent / "out").exists()


def test_a_full_disk_is_no_loss_of_the_host() -> None:
    with Path("/dev/full").open("wb", buffering=0) as full, pytest.raises(UnkeptFile) as unkept:
        _write(full, b"x")
    assert unkept.value.error.errno == errno.ENOSPC


def test_links_are_not_followed(tmp_path: Path) -> None:
    run = tmp_path / "b01-01-a"
    run.mkdir()
    (run / "run.json").write_text("{}")
    (run / "passwd").symlink_to("/etc/passwd")
    assert list(finished_files(tmp_path)) == [run / "run.json"]


_FLEET = """
[fleet]
token_file = "token"

[[host]]
name = "h1"
role = "server"
zone = "a"
address = "192.0.2.1"

[[host]]
name = "h2"
role = "server"
zone = "b"
address = "192.0.2.2"

[[host]]
name = "g1"
address = "192.0.2.3"
"""


@pytest.mark.parametrize(
    ("on", "hosts"),
    [("h2", ["h2"]), ("role=server", ["h1", "h2"]), ("role=server,zone=a", ["h1"]), ("zone=b", ["h2"])],
)
def test_hosts_are_chosen_by_name_or_label(on: str, hosts: list[str], tmp_path: Path) -> None:
    (tmp_path / "fleet.toml").write_text(_FLEET)
    make_token(tmp_path / "token")
    assert list(block_hosts(read_fleet_file(tmp_path / "fleet.toml"), on).agents) == hosts


@pytest.mark.parametrize(
    ("text", "on", "words"),
    [
        (_FLEET, "zone=c", 'server.on = "zone=c" fits no host; there are h1 .role=server, zone=a., h2'),
        (_FLEET, "h3", 'server.on = "h3" fits no host'),
        ('[fleet]\nbackend = "local"\n', "h1", 'backend = "local" has no other hosts'),
    ],
)
def test_hosts_that_are_not_there_are_refused(text: str, on: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "fleet.toml").write_text(text)
    with pytest.raises(InputError, match=words):
        block_hosts(read_fleet_file(tmp_path / "fleet.toml"), on)
