"""A server's memory limit: set, read back, reported when it kills; its group is removed with the server."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import HostError, ServerError, ServerLost
from assay.system.host import Machine
from assay.system.server import Hosting, Instance, PrivateDir
from assay.system.server.resources.control_group import find_cgroup_parent, remove_group
from assay.system.server.resources.memory_group import make_group

LIMIT = 256 << 20


def permitted() -> bool:
    try:
        with PrivateDir() as private:
            private.memory_group(LIMIT)
    except HostError:
        return False
    return True


@pytest.fixture
def limited(new: Callable[..., Instance]) -> Instance:
    """A server with a limit, not started."""
    if not permitted():
        pytest.skip("control groups are not ours to make here")
    server = new({"innodb_buffer_pool_size": "16M", "max_allowed_packet": "1G", "key_buffer_size": "1M"})
    server.hosting = Hosting(memory_bytes=LIMIT)
    return server


@pytest.mark.live
def test_the_limit_is_the_kernels(limited: Instance) -> None:
    with limited:
        limited.verify()
        group = limited._started.group
        assert group is not None
        assert group.folder.name in Path(f"/proc/{limited.pid}/cgroup").read_text()
        assert str(LIMIT) in [
            (group.folder / name).read_text().strip() for name in group_limits(group.folder)
        ]
        assert limited.given()["memory_limit_bytes"] == LIMIT
        with pytest.raises(ServerError, match="asked for 1073741824 bytes, the kernel has 268435456"):
            replace(group, limit_bytes=1 << 30).verify(limited.pid)
        with pytest.raises(ServerError, match="is not in its control group"):
            group.verify(os.getpid())
    assert not group.folder.exists()


@pytest.mark.live
def test_no_start_finds_pages_that_somebody_else_paid_for(limited: Instance) -> None:
    file = limited.data_dir / "unread.bin"
    file.write_bytes(bytes(1 << 20))
    for _ in range(2):
        file.read_bytes()
        if not cached(file):
            pytest.skip("no page cache to be seen here")
        with limited:
            assert not cached(file)


def cached(file: Path) -> bool:
    """Whether its first page is in memory, by mincore(2). A read that must not wait (RWF_NOWAIT) is no way to
    tell: Linux begins to read the page for it, and with a fast disk has it before it answers.
    """
    with file.open("r+b") as content, mmap.mmap(content.fileno(), mmap.PAGESIZE) as mapped:
        first, resident = ctypes.c_char.from_buffer(mapped), ctypes.c_ubyte()
        failed = ctypes.CDLL(None).mincore(
            ctypes.c_void_p(ctypes.addressof(first)), ctypes.c_size_t(mmap.PAGESIZE), ctypes.byref(resident)
        )
        del first  # a mapping that something points to cannot be closed
        return not failed and bool(resident.value & 1)


def group_limits(folder: Path) -> list[str]:
    return [name for name in ("memory.max", "memory.limit_in_bytes") if (folder / name).exists()]


@pytest.mark.live
def test_a_kill_for_the_limits_sake_is_said(limited: Instance) -> None:
    limited.start()
    assert limited.over_memory() is None
    connection = limited.connect()
    with pytest.raises(ServerLost), connection.cursor() as cursor:
        cursor.execute("SELECT LENGTH(CONCAT(REPEAT('x', 600000000), RAND()))")
    deadline = time.monotonic() + 120
    while limited.alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert limited.exit_status() == -signal.SIGKILL
    assert limited.over_memory() == "the server was killed for exceeding server.memory = 256M"
    limited.stop()


@pytest.mark.live
def test_a_server_that_does_not_fit_says_so(limited: Instance) -> None:
    limited.hosting = Hosting(memory_bytes=8 << 20)
    with pytest.raises(ServerError, match=r"did not start: .*exceeding server\.memory = 8M"):
        limited.start()


def test_a_limit_beyond_the_machine_limits_nothing() -> None:
    with pytest.raises(HostError, match="must be less than the memory of this machine"):
        Hosting(memory_bytes=1 << 60).check()


def version_2(tmp_path: Path, controllers: str) -> Machine:
    """A /proc of a machine with the unified hierarchy under `tmp_path`."""
    own = tmp_path / "unified" / "app.slice" / "lab.scope"
    own.mkdir(parents=True)
    (own.parent / "cgroup.subtree_control").write_text(controllers)
    proc = tmp_path / "proc"
    (proc / "self").mkdir(parents=True)
    (proc / "self/cgroup").write_text("0::/app.slice/lab.scope\n")
    mount = f"30 23 0:26 / {tmp_path}/unified rw,nosuid - cgroup2 cgroup2 rw\n"
    (proc / "self/mountinfo").write_text(mount)
    return Machine(tmp_path)


def test_version_2_has_it_beside_ours(tmp_path: Path) -> None:
    parent = find_cgroup_parent(version_2(tmp_path, "cpu memory pids\n"))
    assert (parent.version, parent.folder) == (2, tmp_path / "unified/app.slice")
    group = make_group("assay-1-2-3", LIMIT, parent)
    assert (group.folder / "memory.max").read_text() == str(LIMIT)
    assert (group.folder / "memory.swap.max").read_text() == "0"
    (group.folder / "memory.events").write_text("low 0\noom 4\noom_kill 2\noom_group_kill 0\n")
    assert group.kills() == 2


def test_version_2_without_the_controller(tmp_path: Path) -> None:
    with pytest.raises(HostError, match=r"app\.slice does not delegate the memory controller"):
        find_cgroup_parent(version_2(tmp_path, "cpu pids\n"))


def test_no_control_groups_at_all(tmp_path: Path) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text("")
    with pytest.raises(HostError, match="has no memory control groups"):
        find_cgroup_parent(Machine(tmp_path))


def test_where_groups_are_not_ours_to_make(tmp_path: Path) -> None:
    parent = replace(find_cgroup_parent(version_2(tmp_path, "memory")), folder=tmp_path / "nowhere")
    with pytest.raises(HostError, match=r"no control group can be made in .*nowhere") as caught:
        make_group("assay-1-2-3", LIMIT, parent)
    assert "systemd-run --user --scope" in (caught.value.hint or "")


def test_who_is_still_in_it_is_ended(assay_home: Path) -> None:
    if not permitted():
        pytest.skip("control groups are not ours to make here")
    with PrivateDir() as private:
        group = private.memory_group(LIMIT)
        child = os.fork()
        if child == 0:
            with contextlib.suppress(BaseException):
                group.members.write_text(str(os.getpid()))
                time.sleep(600)
            os._exit(0)
        while str(child) not in group.members.read_text().split():
            time.sleep(0.01)
        remove_group(group.folder)
        assert not group.folder.exists()
        assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
