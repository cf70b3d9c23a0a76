"""Knobs of the machine that the tests run on: really turned, read back from the kernel, really put back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.system.host import Knobs, Machine, sweep_knobs, unavailable
from assay.system.host.knob.registry import KNOBS
from loop_disk import LoopDisk, loop_disk, why_not

pytestmark = pytest.mark.machine

HERE = Machine()
VM = Path("/proc/sys/vm")

on_a_disk = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
as_root = pytest.mark.skipif(
    os.geteuid() != 0 or not os.access(VM / "swappiness", os.W_OK), reason="/proc/sys is not ours to write"
)


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopDisk]:
    with loop_disk(tmp_path_factory.mktemp("disk")) as made:
        yield made


def queue_of(disk: LoopDisk) -> dict[str, str]:
    names = [knob.attribute for knob in KNOBS.values() if hasattr(knob, "attribute")]
    return {name: disk.queue(name) for name in names}


def other(disk: LoopDisk, attribute: str) -> str | int | None:
    """A value that is not in force; None where this kernel offers no other."""
    now = disk.queue(attribute)
    if attribute == "scheduler":
        return next((word for word in now.split() if "[" not in word), None)
    if attribute == "write_cache":
        return "write-through" if now == "write back" else None
    return {"rotational": 1 - int(now), "read_ahead_kb": 64, "nr_requests": 32, "wbt_lat_usec": 1000}.get(
        attribute, 2 if now != "2" else 1
    )


@on_a_disk
@pytest.mark.parametrize(
    "attribute",
    ["scheduler", "rotational", "read_ahead_kb", "rq_affinity", "nr_requests", "nomerges", "write_cache"],
)
def test_each_of_a_queue(disk: LoopDisk, tmp_path: Path, attribute: str) -> None:
    name, value = f"block.{attribute}", other(disk, attribute)
    if value is None:
        pytest.skip(f"this kernel offers one {attribute}")
    before = queue_of(disk)
    with Knobs(place=tmp_path) as knobs:
        try:
            with knobs.turned({name: value}, disk.path / "data") as done:
                assert [(one.target, one.now) for one in done] == [(disk.name, str(value))]
                assert str(value).replace("-", " ") in disk.queue(attribute).replace("-", " ")
                assert disk.queue(attribute) != before[attribute]
        except HostError as error:
            if "does not take" not in error.message:
                raise
            pytest.skip(error.message)
    assert queue_of(disk) == before


@on_a_disk
def test_all_at_once_though_one_moves_another(disk: LoopDisk, tmp_path: Path) -> None:
    """A scheduler brings a queue of its own length; newer kernels compute read-ahead anew."""
    settings = {
        "block.read_ahead_kb": 64,
        "block.nr_requests": 32,
        "block.rotational": 1 - int(disk.queue("rotational")),
        "block.scheduler": str(other(disk, "scheduler")),
    }
    before = queue_of(disk)
    with Knobs(place=tmp_path) as knobs, knobs.turned(settings, disk.path):
        assert disk.queue("read_ahead_kb") == "64"
        assert disk.queue("nr_requests") == "32"
        assert f"[{settings['block.scheduler']}]" in disk.queue("scheduler")
    assert queue_of(disk) == before


@on_a_disk
def test_a_value_that_the_kernel_changes_is_refused(disk: LoopDisk, tmp_path: Path) -> None:
    before = queue_of(disk)
    with (
        Knobs(place=tmp_path) as knobs,
        pytest.raises(HostError, match=r"block\.read_ahead_kb of .*: 5 was written, but 4 is in effect"),
        knobs.turned({"block.rq_affinity": 2, "block.read_ahead_kb": 5}, disk.path),
    ):
        pytest.fail("turned")
    assert queue_of(disk) == before


@on_a_disk
def test_options_of_a_mount(disk: LoopDisk, tmp_path: Path) -> None:
    knob = KNOBS["mount"]
    before = knob.show(HERE, str(disk.path))
    with (
        Knobs(place=tmp_path) as knobs,
        knobs.turned({"mount": "noatime,lazytime,discard,noauto_da_alloc"}, disk.path / "data") as done,
    ):
        assert [one.target for one in done] == [str(disk.path)]
        line = next(
            line for line in Path("/proc/mounts").read_text().splitlines() if f" {disk.path} " in line
        )
        assert {"noatime", "lazytime", "discard", "noauto_da_alloc"} <= set(line.split()[3].split(","))
    assert knob.show(HERE, str(disk.path)) == before


@on_a_disk
def test_an_option_that_the_file_system_lacks(disk: LoopDisk) -> None:
    reason = unavailable({"mount": "data=journal"}, disk.path)
    assert "data=journal is not an option that can be restored" in reason[0]


@as_root
def test_memory(tmp_path: Path) -> None:
    before = [(VM / name).read_text() for name in ("swappiness", "dirty_ratio", "dirty_background_ratio")]
    with Knobs(place=tmp_path) as knobs:
        settings = {"vm.swappiness": 7, "vm.dirty_ratio": 33, "vm.dirty_background_ratio": 3}
        with knobs.turned(settings, tmp_path):
            assert (VM / "swappiness").read_text() == "7\n"
            assert (VM / "dirty_ratio").read_text() == "33\n"
    assert before == [
        (VM / name).read_text() for name in ("swappiness", "dirty_ratio", "dirty_background_ratio")
    ]


@as_root
def test_dirty_memory_said_in_bytes_is_put_back_in_bytes(tmp_path: Path) -> None:
    """The kernel forgets the bytes when a ratio is written."""
    ratio, said = (VM / "dirty_ratio").read_text(), (VM / "dirty_bytes").read_text()
    (VM / "dirty_bytes").write_text("268435456")
    try:
        with Knobs(place=tmp_path) as knobs:
            with knobs.turned({"vm.dirty_ratio": 20}, tmp_path):
                assert (VM / "dirty_bytes").read_text() == "0\n"
            assert (VM / "dirty_bytes").read_text() == "268435456\n"
    finally:
        if said == "0\n":
            (VM / "dirty_ratio").write_text(ratio)
        else:
            (VM / "dirty_bytes").write_text(said)


@as_root
@pytest.mark.skipif(KNOBS["thp"].available(HERE, Path("/")) is not None, reason="no transparent huge pages")
def test_huge_pages(tmp_path: Path) -> None:
    before = KNOBS["thp"].show(HERE, "")
    wanted = "never" if before != "never" else "madvise"
    with Knobs(place=tmp_path) as knobs, knobs.turned({"thp": wanted}, tmp_path):
        assert f"[{wanted}]" in Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text()
    assert KNOBS["thp"].show(HERE, "") == before


CHILD = """\
import os, signal, sys
from pathlib import Path
from assay.system.host import Knobs
with Knobs(place=Path(sys.argv[1])) as knobs:
    settings = {"block.scheduler": sys.argv[3], "block.rotational": int(sys.argv[4]),
                "block.read_ahead_kb": 64, "block.rq_affinity": 2, "mount": "noatime"}
    with knobs.turned(settings, Path(sys.argv[2])):
        os.kill(os.getpid(), signal.SIGKILL)
"""


@on_a_disk
def test_what_a_killed_process_changed_is_put_back(disk: LoopDisk, tmp_path: Path) -> None:
    before, mounted = queue_of(disk), KNOBS["mount"].show(HERE, str(disk.path))
    scheduler = str(other(disk, "scheduler"))
    words = [str(tmp_path), str(disk.path), scheduler, str(1 - int(disk.queue("rotational")))]
    assert subprocess.run([sys.executable, "-c", CHILD, *words]).returncode == -9
    assert f"[{scheduler}]" in disk.queue("scheduler")
    assert disk.queue("read_ahead_kb") == "64"
    lines = sweep_knobs(place=tmp_path)
    assert f"put host.block.rq_affinity of {disk.name} back to {before['rq_affinity']}" in lines
    assert queue_of(disk) == before
    assert KNOBS["mount"].show(HERE, str(disk.path)) == mounted
