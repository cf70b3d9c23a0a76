"""`assay server start`: a real server in the foreground, gone without a trace after Ctrl-C."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pymysql
import pytest
from shell import start

pytestmark = pytest.mark.live


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_start_connect_stop(private_home: Path, number: signal.Signals) -> None:
    process = start(
        "server", "start", "mariadb", "--set", "innodb_io_capacity=777", "--data-dir", "default",
        ASSAY_HOME=str(private_home), PYTHONUNBUFFERED="1",
    )  # fmt: skip
    assert process.stdout is not None
    said = ""
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        said += line
    socket = re.search(r"^socket +(\S+)$", said, re.MULTILINE)
    assert socket is not None
    with pymysql.connect(unix_socket=socket[1], user="root").cursor() as cursor:
        cursor.execute("SELECT @@innodb_io_capacity")
        assert cursor.fetchone() == (777,)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, "stopping" in err) == (0, True)
    assert not Path(socket[1]).exists()
    assert list((private_home / "instances").iterdir()) == []


def test_a_variable_the_server_does_not_know(private_home: Path) -> None:
    process = start(
        "server", "start", "mariadb", "--set", "innodb_io_capacitee=1", ASSAY_HOME=str(private_home)
    )
    _, err = process.communicate(timeout=60)
    assert process.returncode in (2, 4)
    assert "innodb_io_capacitee" in err
    assert list((private_home / "instances").iterdir()) == []
