"""A server's quota of processor time and its slower syncs: set, read back, and felt."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import HostError, ServerError
from assay.system.host import Machine
from assay.system.server import Hosting, Instance, PrivateDir
from assay.system.server.process.program import launch
from assay.system.server.resources.control_group import CgroupParent, find_cgroup_parent
from assay.system.server.resources.quota_group import make_quota_group

DELAY_US = 20_000
SYNCS = """
import os, sys, time
with open(sys.argv[1], "w") as file:
    for call in (os.fsync, os.fdatasync):
        began = time.monotonic()
        call(file.fileno())
        print(time.monotonic() - began)
"""


def used_s(pid: int) -> float:
    """The processor time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def permitted() -> bool:
    try:
        with PrivateDir() as private:
            private.quota_group(1.0)
    except HostError:
        return False
    return True


def test_every_sync_takes_the_delay_longer(tmp_path: Path) -> None:
    program = launch(
        [sys.executable, "-c", SYNCS, str(tmp_path / "file")],
        stdout=subprocess.PIPE,
        sync_delay_us=DELAY_US,
        as_server=False,
    )
    said, _ = program.communicate(timeout=60)
    assert program.returncode == 0
    took_s = [float(line) for line in said.decode().split()]
    assert len(took_s) == 2
    assert min(took_s) >= DELAY_US / 1e6


def test_version_2_takes_a_quota_in_the_group_of_the_memory(tmp_path: Path) -> None:
    parent = CgroupParent(2, tmp_path, "cpu")
    (tmp_path / "assay-1-2-3").mkdir()  # made for its memory
    group = make_quota_group("assay-1-2-3", 1.5, parent)
    assert (group.folder / "cpu.max").read_text() == "150000 100000"


def test_who_may_not_make_groups_is_told_the_key(tmp_path: Path) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("")
    with pytest.raises(HostError, match=r"server\.cpu_quota: .* has no cpu control groups"):
        find_cgroup_parent(Machine(tmp_path), "cpu")
    with pytest.raises(HostError, match=r"server\.cpu_quota"):
        make_quota_group("assay-1-2-3", 1.0, CgroupParent(1, tmp_path / "nowhere", "cpu"))


@pytest.mark.live
def test_a_server_has_both_and_uses_its_quota_up(new: Callable[..., Instance]) -> None:
    if not permitted():
        pytest.skip("control groups are not ours to make here")
    server = new({"innodb_buffer_pool_size": "16M", "key_buffer_size": "1M"})
    server.hosting = Hosting(cpu_quota=0.2, sync_delay_us=0)
    with server:
        server.verify()
        assert server.given() == {"cpu_quota": 0.2, "sync_delay_us": 0}
        quota = server._started.quota
        assert quota is not None
        with server.connect() as connection, connection.cursor() as cursor:
            began, used = time.monotonic(), used_s(server.pid)
            cursor.execute("SELECT BENCHMARK(600000, MD5(REPEAT('x', 100)))")
            used = used_s(server.pid) - used
            # Each processor may take a slice of the quota with it beyond a period.
            assert used <= 0.2 * (time.monotonic() - began) + 0.1
        with pytest.raises(ServerError, match="asked for 50000 of 100000 us, the kernel has 20000"):
            replace(quota, processors=0.5).verify(server.pid)
        with pytest.raises(ServerError, match="is not in its control group"):
            quota.verify(os.getpid())
    assert not quota.folder.exists()
