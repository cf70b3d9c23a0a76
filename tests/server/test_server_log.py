"""The part of a server's log that tells why it ended."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.system.server.process.log import ServerLog

TRACE = "".join(f"/usr/sbin/server(+0x{at:x})[0x{at:x}]\n" for at in range(40))


@pytest.mark.parametrize(
    "crash",
    ["261130 19:15:25 [ERROR] /usr/sbin/mariadbd got signal 6 ;", "19:15:25 UTC - mysqld got signal 11 ;"],
)
def test_the_tail_of_a_crashed_servers_log_says_what_came_before(tmp_path: Path, crash: str) -> None:
    log = ServerLog(tmp_path / "server.log")
    log.open_new()
    log.path.write_text(f"ready\n[ERROR] the disk is full\n{crash}\nBacktrace:\n{TRACE}")
    assert log.tail(2) == f"[ERROR] the disk is full\n{crash}"
    assert log.tail(99).startswith("ready\n")


def test_the_tail_of_any_other_log_is_its_end(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "server.log")
    log.open_new()
    log.path.write_text("one\n\ntwo\nthree\n")
    assert log.tail(2) == "two\nthree"
