"""`assay server start`: a real server in the foreground, which leaves nothing after Ctrl-C."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pymysql
import pytest
from assay.system.server.process.port import free_port
from shell import start

pytestmark = pytest.mark.live


@pytest.mark.sampled(1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_start_connect_stop(private_home: Path, number: signal.Signals) -> None:
    process = start(
        "server", "start", "mariadb", "--set", "innodb_io_capacity=777", "--data-dir", "default",
        "--port", str(port := free_port()),
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
    kept = re.search(r"cat (\S+)\)", said)
    assert kept is not None
    assert Path(kept[1]).stat().st_mode & 0o777 == 0o600
    pymysql.connect(port=port, host="127.0.0.1", user="root", password=Path(kept[1]).read_text().strip())
    with pytest.raises(pymysql.err.OperationalError, match="Access denied"):
        pymysql.connect(port=port, host="127.0.0.1", user="root")
    process.send_signal(number)
    _, err = process.communicate(timeout=180)
    assert (process.returncode, "stopping" in err) == (0, True)
    assert not Path(socket[1]).exists()
    assert list((private_home / "instances").iterdir()) == []
    assert list((private_home / "records").iterdir()) == []


def test_a_variable_the_server_does_not_know(private_home: Path) -> None:
    process = start(
        "server", "start", "mariadb", "--set", "innodb_io_capacitee=1", ASSAY_HOME=str(private_home)
    )
    _, err = process.communicate(timeout=180)
    assert process.returncode in (2, 4)
    assert "innodb_io_capacitee" in err
    assert list((private_home / "instances").iterdir()) == []
    assert list((private_home / "records").iterdir()) == []
