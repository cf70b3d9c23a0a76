"""`assay fleet`"""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import forked
import pytest
from assay.measurement.fleet import make_token
from assay.system.server import home
from shell import PATIENCE_S, Shell

pytestmark = pytest.mark.usefixtures("private_home")


@pytest.mark.parametrize("command", ["agent", "check", "head", "join", "leave", "status", "token"])
def test_every_command_has_an_example(shell: Shell, command: str) -> None:
    assert f"assay fleet {command}" in shell("fleet", command, "--help").out.partition("Example:")[2]


def test_an_agent_is_checked_and_ends_when_it_is_told(shell: Shell, tmp_path: Path) -> None:
    token = Path(shell("fleet", "token").out.strip())
    assert token.stat().st_mode & 0o777 == 0o600
    agent = forked.Command(["fleet", "agent", "--port", "0", "--token-file", str(token)])
    try:
        found = re.search(r":(\d+)$", agent.stdout.readline().strip())
        assert found is not None
        file = tmp_path / "fleet.toml"
        host = f'[[host]]\nname = "h1"\naddress = "127.0.0.1:{found[1]}"\nloops = 3\n'
        file.write_text(host)
        checked = shell("fleet", "check", file, "--time", 0, "--json")
        assert checked.code == 0, checked.err
        (one,) = json.loads(checked.out)["hosts"]
        assert (one["name"], one["event_loops"], one["ceiling_qps"]) == ("h1", 3, None)
        assert abs(one["clock_offset_ns"]) <= one["clock_bound_ns"]
        file.write_text(host + host.replace("h1", "h2"))
        twice = shell("fleet", "check", file, "--time", 0)
        assert (twice.code, "wrong: the hosts h1 and h2 are one machine" in twice.out) == (6, True)
        file.write_text(file.read_text().replace("loops = 3", 'loops = 3\nrole = "server"'))
        both = shell("fleet", "check", file, "--time", "0.2", "--allow-same-machine")
        assert both.code == 0, both.err
        assert re.search(r"2 generators at the same time: [1-9][\d,]* queries/s", both.out)
    finally:
        agent.send_signal(signal.SIGTERM)
        _, err = agent.communicate(timeout=PATIENCE_S)
    assert (agent.returncode, err) == (0, "")
    refused = shell("fleet", "check", file, "--time", 0)
    assert refused.code == 6
    assert "cannot reach the agent of h1 (127.0.0.1:" in refused.err


@pytest.mark.parametrize("arguments", [["head", "--token-file"], ["join", "127.0.0.1:1", "--token-file"]])
def test_a_host_that_joins_is_rid_of_what_a_dead_lab_left(
    shell: Shell, tmp_path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.base.extras.find_spec", lambda name: None)  # so that nothing starts
    token = tmp_path / "token"
    make_token(token)
    left = home() / "blocks" / f"assay-block-{os.getpid()}-1-x"  # of an earlier process with this pid
    left.mkdir(parents=True)
    done = shell("fleet", *arguments, token)
    assert (done.code, f"removed {left}" in done.err) == (6, True)
    assert "needs the Python package ray" in done.err
    assert not left.exists()
