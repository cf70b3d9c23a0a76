"""The verbs `assay serve` and `assay site`, as a person starts them."""

from __future__ import annotations

import re
import signal
import urllib.request
from pathlib import Path

import forked
from shell import PATIENCE_S, Shell


def test_pages_are_served_until_a_signal(tmp_path: Path) -> None:
    process = forked.Command(["serve", str(tmp_path), "--port", "0"])
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/", line)
    assert found, line
    with urllib.request.urlopen(f"{found[0]}en/", timeout=PATIENCE_S) as answer:
        assert answer.status == 200
        assert b"There are no results here yet" in answer.read()
    process.send_signal(signal.SIGINT)
    # Not communicate(): it forgets what came with the first line.
    rest = line + process.stdout.read()
    assert process.wait(PATIENCE_S) == 0, process.stderr.read()
    assert "#token=" in rest


def test_a_taken_port_is_named(tmp_path: Path, shell: Shell) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = shell("serve", str(tmp_path), "--port", str(port))
    assert ended.code == 7
    assert f"cannot listen on 127.0.0.1 port {port}" in ended.err
    assert "--port 0" in ended.err


def test_a_site_is_built(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "results").mkdir()
    ended = shell("site", "build", str(tmp_path / "results"), str(tmp_path / "public"))
    assert ended.code == 0, ended.err
    assert (tmp_path / "public" / "en" / "index.html").is_file()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    ended = shell("site", "build", str(tmp_path / "results"), str(tmp_path / "other"))
    assert ended.code == 7
    assert "give an empty folder" in ended.err
