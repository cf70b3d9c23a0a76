"""Knobs on made-up machines: what is put back, by whom, and what is left."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from assay.base.errors import ConflictError, HostError
from assay.system.host import Knobs, Machine, sweep_knobs
from assay.system.host.knob.journal import Note
from assay.system.host.knob.registry import KNOBS
from big_machine import DISKS, VOLUME, put, queue

# A process that is killed, and one that lives.

CHILD = """\
import os, signal, sys, time
from pathlib import Path
from assay.system.host import Knobs, Machine
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever started the tests may ignore it (nohup)
with Knobs(Machine(Path(sys.argv[1])), Path(sys.argv[2])) as knobs:
    with knobs.turned({"block.scheduler": "kyber", "block.rq_affinity": 2}, Path("/srv/my data/mysql")):
        print("turned", flush=True)
        time.sleep(600)
"""


def turned_by_another(machine: Machine, place: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(machine.root), str(place)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "turned\n"
    return child


def test_a_killed_process_is_tidied_up_after(big: Machine, place: Path) -> None:
    child = turned_by_another(big, place)
    try:
        assert queue(big, "scheduler") == "kyber"
        assert sweep_knobs(big, place) == []  # it lives
        with pytest.raises(ConflictError, match=f"process {child.pid} has changed some"):
            Knobs(big, place).__enter__()
        assert queue(big, "scheduler") == "kyber"
    finally:
        child.kill()
        child.wait()
    assert queue(big, "scheduler") == "kyber"
    lines = sweep_knobs(big, place)
    assert "put host.block.scheduler of nvme0n1 back to none" in lines
    assert len(lines) == 4
    assert [queue(big, "scheduler", disk) for disk in DISKS] == ["none", "none"]
    assert [queue(big, "rq_affinity", disk) for disk in DISKS] == ["1", "1"]
    assert sweep_knobs(big, place) == []


def test_whoever_turns_next_puts_back_first(big: Machine, place: Path) -> None:
    child = turned_by_another(big, place)
    child.kill()
    child.wait()
    with Knobs(big, place) as knobs, knobs.turned({"block.scheduler": "mq-deadline"}, VOLUME) as done:
        assert {one.was for one in done} == {"none"}
        assert len(knobs.swept) == 4


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_ends_of_a_process(big: Machine, place: Path, number: signal.Signals) -> None:
    """Not handled by this child: the default ends it as hard as SIGKILL."""
    child = turned_by_another(big, place)
    child.send_signal(number)
    child.wait()
    sweep_knobs(big, place)
    assert queue(big, "scheduler") == "none"


def test_a_machine_that_was_started_since_has_its_own_values_again(big: Machine, place: Path) -> None:
    child = turned_by_another(big, place)
    child.kill()
    child.wait()
    put(big, "/proc/sys/kernel/random/boot_id", "second")
    assert sweep_knobs(big, place) == []
    assert queue(big, "scheduler") == "kyber"
    assert not (place / "journal").exists()


def test_a_disk_that_is_gone_is_said_once(big: Machine, place: Path) -> None:
    child = turned_by_another(big, place)
    child.kill()
    child.wait()
    big.path("/sys/block/nvme1n1/queue/scheduler").unlink()
    assert "host.block.scheduler of nvme1n1 is not restored: the device is gone" in sweep_knobs(big, place)
    assert queue(big, "scheduler") == "none"
    assert sweep_knobs(big, place) == []


def test_what_cannot_be_put_back_stays_noted(big: Machine, place: Path) -> None:
    with Knobs(big, place) as knobs:
        knobs.journal.add([Note("block.rotational", "nvme0n1", "7" * 9, "first"), Note("new", "x", "1", "")])
        put(big, "/sys/block/nvme0n1/queue/rotational", "0")
        with pytest.raises(HostError, match="which this version does not know"):
            knobs.put_back()
        assert [note.knob for note in knobs.journal.notes()] == ["new"]
        assert queue(big, "rotational") == "7" * 9
        knobs.journal.keep([])


def test_a_line_cut_off_by_a_kill_is_nothing(big: Machine, place: Path) -> None:
    place.mkdir()
    whole = json.dumps({"knob": "block.rotational", "target": "nvme0n1", "was": "1", "boot": "first"})
    (place / "journal").write_text(f'{whole}\n{{"knob": "block.sch')
    assert sweep_knobs(big, place) == ["put host.block.rotational of nvme0n1 back to 1"]


def test_an_error_in_the_block_puts_back(big: Machine, place: Path) -> None:
    with (
        pytest.raises(RuntimeError),
        Knobs(big, place) as knobs,
        knobs.turned({"block.scheduler": "kyber"}, VOLUME),
    ):
        raise RuntimeError
    assert queue(big, "scheduler") == "none"


# What is not the lab's to put back.


def killed(machine: Machine, place: Path) -> None:
    child = turned_by_another(machine, place)
    child.kill()
    child.wait()


def test_what_somebody_changed_after_a_kill_is_left(big: Machine, place: Path) -> None:
    killed(big, place)
    put(big, "/sys/block/nvme0n1/queue/rq_affinity", "0")
    lines = sweep_knobs(big, place)
    assert (
        "host.block.rq_affinity of nvme0n1 is left at 0: it was changed since the lab set it to 2"
        " (and 1 was there before)" in lines
    )
    assert [queue(big, "rq_affinity", disk) for disk in DISKS] == ["0", "1"]
    assert sweep_knobs(big, place) == []
    assert queue(big, "rq_affinity") == "0"


def test_what_somebody_changed_during_a_run_is_left(big: Machine, place: Path) -> None:
    with Knobs(big, place) as knobs:
        with knobs.turned({"block.rq_affinity": 2, "block.rotational": 1}, VOLUME):
            put(big, "/sys/block/nvme1n1/queue/rq_affinity", "0")
        assert [queue(big, "rq_affinity", disk) for disk in DISKS] == ["1", "0"]
        assert queue(big, "rotational") == "0"
        assert [line.partition(":")[0] for line in knobs.left] == [
            "host.block.rq_affinity of nvme1n1 is left at 0"
        ]
        assert not knobs.journal.path.exists()


def test_what_our_own_settings_make_of_each_other_is_put_back(
    big: Machine, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the value before nor the one asked for, and the lab's doing all the same."""
    rotational = KNOBS["block.rotational"]
    write = rotational.write

    def moves_more(machine: Machine, target: str, value: str) -> None:
        write(machine, target, value)
        put(machine, f"/sys/block/{target}/queue/scheduler", "none [mq-deadline] kyber")

    monkeypatch.setattr(rotational, "write", moves_more)
    with (
        Knobs(big, place) as knobs,
        pytest.raises(HostError, match="kyber was written, but mq-deadline is in effect"),
        knobs.turned({"block.scheduler": "kyber", "block.rotational": 1}, VOLUME),
    ):
        pytest.fail("turned")
    assert [queue(big, "scheduler", disk) for disk in DISKS] == ["none", "none"]


def test_another_disk_under_the_same_name_is_left(big: Machine, place: Path) -> None:
    for number, disk in enumerate(DISKS):
        put(big, f"/sys/block/{disk}/diskseq", str(number))
    killed(big, place)
    put(big, "/sys/block/nvme0n1/diskseq", "9")
    assert (
        "host.block.scheduler of nvme0n1 is not restored: the device is gone, and another has its place"
        in sweep_knobs(big, place)
    )
    assert [queue(big, "scheduler", disk) for disk in DISKS] == ["kyber", "none"]


@pytest.mark.parametrize(
    ("device", "source", "sequence", "left"),
    [
        ("253:0", "/dev/mapper/vg-data", "5", False),
        ("253:0", "/dev/mapper/vg-other", "5", True),
        ("253:1", "/dev/mapper/vg-data", "5", True),
        ("253:0", "/dev/mapper/vg-data", "6", True),
    ],
)
def test_another_file_system_at_the_same_place_is_left(
    big: Machine, place: Path, tmp_path: Path, device: str, source: str, sequence: str, left: bool
) -> None:
    """A program mount that does it in the made-up mountinfo."""
    here = big.path("/proc/self/mountinfo")
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "mount").write_text(f"#!/bin/sh\nexec /bin/sed -i s/,lazytime// {here}\n")
    (commands / "mount").chmod(0o755)
    machine = Machine(big.root, commands=str(commands))
    at = "/srv/my data"
    put(big, "/sys/dev/block/253:0/diskseq", "5")
    knob, knobs = KNOBS["mount"], Knobs(machine, place)
    knobs.journal.take()
    was = knob.show(machine, at)
    knobs.journal.add([Note("mount", at, was, "first", knob.identity(machine, at))])
    knobs.journal.release()
    put(big, "/sys/dev/block/253:0/diskseq", sequence)
    line = f"50 1 {device} / /srv/my\\040data rw,noatime,nodiratime,lazytime - xfs {source} rw\n"
    here.write_text(line)
    lines = sweep_knobs(machine, place)
    if left:
        assert lines == [
            "host.mount of /srv/my data is not restored: the device is gone, and another has its place"
        ]
        assert here.read_text() == line
    else:
        assert lines == [f"put host.mount of /srv/my data back to {was}"]
        assert "lazytime" not in here.read_text()
    assert sweep_knobs(machine, place) == []


def test_a_note_after_a_line_that_was_cut_off_is_whole(big: Machine, place: Path) -> None:
    place.mkdir()
    unknown = json.dumps({"knob": "new", "target": "x", "was": "1", "boot": ""})
    (place / "journal").write_text(f'{unknown}\n{{"knob": "block.sch')
    (line,) = sweep_knobs(big, place)
    assert "which this version does not know" in line
    knobs = Knobs(big, place)
    knobs.journal.add([Note("block.rotational", "nvme0n1", "1", "first")])
    assert [note.knob for note in knobs.journal.notes()] == ["new", "block.rotational"]
