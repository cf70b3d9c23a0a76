"""A device that fails beneath a server, on real loop devices. `test_device_failure.py` runs this in a
kernel of its own, and looks at what was measured.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from live_command import Finished

SERVER = """\
[study]
name = "failing-server"
[server]
use = "mariadb"
data_dir = "{directory}"
variables = {{ innodb_buffer_pool_size = "32M", innodb_log_file_size = "16M" }}
[workload]
use = "oltp_read_write"
table_size = 2000
[volume]
file_system = "btrfs"
raid = "raid1"
devices = 3
device_size = "512M"
fail_device = 2
fail_after = "2s"
replace_after = "2s"
[load]
rate = [20]
warmup = "none"
measure = "12s"
[design]
blocks = 1
"""

MODEST = """\
#!/bin/sh
exec {server} "$@" --loose-innodb-buffer-pool-size-max=64M
"""


@pytest.fixture(scope="module", autouse=True)
def modest_server() -> None:
    """Has MariaDB reserve few addresses. It reserves 8 TiB by default, which a kernel that is a process does
    not have. Its program is replaced in this kernel only.
    """
    place = Path(tempfile.mkdtemp(prefix="modest-"))
    place.chmod(0o755)  # servers of root run as another user
    program = shutil.which("mariadbd")
    assert program is not None
    server, modest = place / "mariadbd", place / "modest"
    shutil.copy2(program, server)
    modest.write_text(MODEST.format(server=server))
    modest.chmod(0o755)
    subprocess.run(["mount", "--bind", modest, os.path.realpath(program)], check=True)


def test_a_study_of_a_server_is_carried_out(place: Path, assay: Callable[..., Finished]) -> None:
    path = place / "failing-server.toml"
    path.write_text(SERVER.format(directory=place / "data"))
    done = assay("run", str(path), "--results", os.environ["KEPT_RESULTS"] + "/server", "--no-report")
    assert done.code == 0, done.err
