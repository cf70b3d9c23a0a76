"""RAID controllers through command lines that answer in recorded form: found, shown, set, put back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import fake_raid
import pytest
from assay.base.errors import HostError
from assay.system.host import Knobs, Machine, host_facts, sweep_knobs, unavailable
from assay.system.host.check.at_rest import at_rest
from assay.system.host.raid.find import TOOLS
from assay.system.host.raid.storcli import Storcli
from assay.system.host.raid.tool import Policies

DATA = Path("/data/mysql")
PLACE = "/sys/devices/pci0000:00/0000:00:02.0/0000:03:00.0/host0/target0:2:1/0:2:1:0/block/sda"

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the tools of controllers are for root")

Controllers = Callable[..., Machine]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "state.json"
    monkeypatch.setenv("FAKE_RAID", str(path))
    path.write_text(json.dumps(fake_raid.FIRST))
    return path


@pytest.fixture
def controllers(tmp_path: Path, state: Path) -> Controllers:
    """A machine with /data on sda, a virtual drive, and these programs."""

    def make(*programs: str) -> Machine:
        root, commands = tmp_path / "root", tmp_path / "bin"
        (root / PLACE[1:] / "queue").mkdir(parents=True)
        (root / PLACE[1:] / "queue" / "scheduler").write_text("[none]\n")
        for link in ("sys/dev/block/8:0", "sys/block/sda"):
            (root / link).parent.mkdir(parents=True, exist_ok=True)
            (root / link).symlink_to(root / PLACE[1:])
        (root / "proc/self").mkdir(parents=True)
        (root / "proc/self/mountinfo").write_text("40 1 8:0 / /data rw - xfs /dev/sda rw\n")
        commands.mkdir()
        # Some tests call them fifty times: they start without a site, from the module's compiled form.
        place = Path(fake_raid.__file__).parent
        text = (
            f"#!{sys.executable} -IS\nimport sys\nsys.path.insert(0, {str(place)!r})\n"
            "from fake_raid import main\nsys.exit(main())\n"
        )
        for program in programs:
            (commands / program).write_text(text, encoding="utf-8")
            (commands / program).chmod(0o755)
        return Machine(root, commands=str(commands))

    return make


def said(state: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(state.read_text())
    return found


TARGETS = {
    "storcli64": "storcli:/c0/v1",
    "perccli64": "perccli:/c0/v1",
    "MegaCli64": "MegaCli:a0/L1",
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("program", TARGETS)
def test_write_policy(controllers: Controllers, state: Path, tmp_path: Path, program: str) -> None:
    machine = controllers(program)
    with Knobs(machine, tmp_path / "j") as knobs:
        with knobs.turned({"raid.write_policy": "write-through"}, DATA) as done:
            assert [(one.target, one.was, one.now) for one in done] == [
                (TARGETS[program], "write-back", "write-through")
            ]
            assert said(state)["write"] == "WriteThrough"
        assert said(state)["write"] == "WriteBack"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("program", "read"),
    [("storcli64", "RA"), ("perccli64", "RA"), ("storcli64", "ReadAdaptive"), ("MegaCli64", "RA")],
)
def test_the_other_policies(
    controllers: Controllers, state: Path, tmp_path: Path, program: str, read: str
) -> None:
    machine = controllers(program)
    settings = {"raid.read_policy": "normal", "raid.io_policy": "cached", "raid.bgi_rate": 0}
    # Releases before 7 know an adaptive way to read ahead, and put it back.
    state.write_text(json.dumps({**said(state), "read": read, "release": 1 if read == "ReadAdaptive" else 7}))
    first = {key: value for key, value in said(state).items() if key != "calls"}
    with Knobs(machine, tmp_path / "j") as knobs:
        with knobs.turned(settings, DATA) as done:
            assert {one.knob: one.now for one in done} == {
                "raid.read_policy": "normal",
                "raid.io_policy": "cached",
                "raid.bgi_rate": "0",
            }
            assert done[-1].target == TARGETS[program].rpartition("/")[0]  # the whole controller's
            assert (said(state)["io"], said(state)["bgi"]) == ("Cached", 0)
        assert {key: value for key, value in said(state).items() if key != "calls"} == first


def test_adaptive_reading_is_that_of_older_controllers(controllers: Controllers) -> None:
    assert unavailable({"raid.read_policy": "adaptive"}, DATA, controllers("MegaCli64")) == []


class Reduced(Storcli):
    """A tool without the I/O policy and with one read policy."""

    policies: ClassVar[Policies] = {"read_policy": {"normal": "nora"}}


def test_policies_that_a_tool_lacks(controllers: Controllers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TOOLS, "storcli", Reduced())
    machine = controllers("storcli64")
    (reason,) = unavailable({"raid.read_policy": "adaptive"}, DATA, machine)
    assert "storcli has no read policy adaptive" in reason
    (reason,) = unavailable({"raid.io_policy": "cached"}, DATA, machine)
    assert "storcli has no io policy for sda" in reason


@pytest.mark.parametrize("driver", ["hpsa", "smartpqi", "mpi3mr"])
@pytest.mark.parametrize("program", [[], ["storcli64"]])
def test_a_controller_without_a_tool(controllers: Controllers, driver: str, program: list[str]) -> None:
    """The answer is the same whether or not another controller's tool is installed."""
    machine = controllers(*program)
    drivers = machine.path(f"/sys/devices/drivers/{driver}")
    drivers.mkdir(parents=True)
    (machine.path(PLACE).parents[4] / "driver").symlink_to(drivers)
    (reason,) = unavailable({"raid.write_policy": "write-back"}, DATA, machine)
    assert f"sda is on a controller ({driver})" in reason
    assert "Assay has no command line for it" in reason
    (finding,) = [one for one in at_rest(host_facts([DATA], machine)) if one.name == "RAID controller"]
    assert finding.outcome == "note"
    assert finding.found in reason


def test_what_a_release_does_not_know(controllers: Controllers, state: Path, tmp_path: Path) -> None:
    """Newer releases of storcli answer a word that they dropped with text instead of JSON."""
    state.write_text(json.dumps({**said(state), "read": "RA"}))
    with (
        Knobs(controllers("storcli64"), tmp_path / "j") as knobs,
        pytest.raises(HostError, match="exit code 255: syntax error, unexpected TOKEN_UNKNOWN"),
        knobs.turned({"raid.read_policy": "adaptive"}, DATA),
    ):
        pytest.fail("turned")


@pytest.mark.long
def test_a_cache_that_is_good_without_a_battery(
    controllers: Controllers, state: Path, tmp_path: Path
) -> None:
    """For MegaCli it is a second property beside write-back."""
    state.write_text(json.dumps({**said(state), "bad_bbu": True}))
    with Knobs(controllers("MegaCli64"), tmp_path / "j") as knobs:
        for asked in ("write-through", "write-back"):
            with knobs.turned({"raid.write_policy": asked}, DATA) as done:
                assert (done[0].was, done[0].now) == ("always-write-back", asked)
            assert (said(state)["write"], said(state)["bad_bbu"]) == ("WriteBack", True)


def test_a_disk_that_is_known_by_its_identifier(controllers: Controllers, state: Path) -> None:
    """Releases of storcli differ in whether they name the disk."""
    machine = controllers("storcli64")
    state.write_text(json.dumps({**said(state), "without": ["OS Drive Name"]}))
    (reason,) = unavailable({"raid.write_policy": "write-through"}, DATA, machine)
    assert "sda is not a virtual drive" in reason
    wwid = machine.path(f"{PLACE}/device/wwid")
    wwid.parent.mkdir()
    wwid.write_text(f"naa.{fake_raid.NAA}\n")
    assert unavailable({"raid.write_policy": "write-through"}, DATA, machine) == []


def test_a_disk_of_no_controller(controllers: Controllers) -> None:
    machine = controllers("storcli64")
    with machine.path("/proc/self/mountinfo").open("a") as mounts:
        mounts.write("41 1 8:16 / /other rw - xfs /dev/sdb rw\n")
    other = machine.path("/sys/devices/pci0000:00/0000:04:00.0/ata1/block/sdb")
    other.mkdir(parents=True)
    machine.path("/sys/dev/block/8:16").symlink_to(other)
    (reason,) = unavailable({"raid.write_policy": "write-back"}, Path("/other"), machine)
    assert "sdb is not a virtual drive of a controller known to storcli" in reason


@pytest.mark.sampled(1)
@pytest.mark.parametrize("program", ["storcli64", "MegaCli64"])
def test_without_a_battery_write_back_does_not_come_into_force(
    controllers: Controllers, state: Path, tmp_path: Path, program: str
) -> None:
    machine = controllers(program)
    state.write_text(json.dumps({**fake_raid.FIRST, "write": "WriteThrough", "battery": False}))
    with (
        Knobs(machine, tmp_path / "j") as knobs,
        pytest.raises(HostError, match="write-back was written, but write-through is in effect"),
        knobs.turned({"raid.write_policy": "write-back"}, DATA),
    ):
        pytest.fail("turned")
    assert said(state)["write"] == "WriteThrough"  # not what comes into force with the next battery
    assert not (tmp_path / "j" / "journal").exists()


@pytest.mark.parametrize("program", ["storcli64", "perccli64", "MegaCli64"])
def test_what_is_set_and_not_in_force_is_left_alone(
    controllers: Controllers, state: Path, tmp_path: Path, program: str
) -> None:
    """The value in force would be put back in its place."""
    machine = controllers(program)
    first = {**fake_raid.FIRST, "battery": False}
    state.write_text(json.dumps(first))
    with (
        Knobs(machine, tmp_path / "j") as knobs,
        pytest.raises(HostError, match="is set to write-back, but write-through is in effect"),
        knobs.turned({"raid.write_policy": "always-write-back"}, DATA),
    ):
        pytest.fail("turned")
    assert {**said(state), "calls": []} == first
    assert unavailable({"raid.io_policy": "cached"}, DATA, machine) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("program", ["storcli64", "MegaCli64"])
def test_a_battery_that_goes_flat_meanwhile(
    controllers: Controllers, state: Path, tmp_path: Path, program: str
) -> None:
    """What is in force looks like what was written; what was set before is set again."""
    with Knobs(controllers(program), tmp_path / "j") as knobs:
        with knobs.turned({"raid.write_policy": "write-through"}, DATA):
            state.write_text(json.dumps({**said(state), "battery": False}))
        assert said(state)["write"] == "WriteBack"
        assert not knobs.journal.path.exists()


def test_a_policy_that_was_so_already_is_not_set(
    controllers: Controllers, state: Path, tmp_path: Path
) -> None:
    state.write_text(json.dumps({**fake_raid.FIRST, "write": "WriteThrough"}))
    with (
        Knobs(controllers("storcli64"), tmp_path / "j") as knobs,
        knobs.turned({"raid.write_policy": "write-through"}, DATA),
    ):
        pass
    assert not [call for call in said(state)["calls"] if "set" in call]


def test_after_a_kill_and_another_start_of_the_machine(
    controllers: Controllers, state: Path, tmp_path: Path
) -> None:
    """A controller remembers: unlike what the kernel has, it must be put back after a reboot too."""
    machine = controllers("storcli64")
    boot = machine.path("/proc/sys/kernel/random/boot_id")
    boot.parent.mkdir(parents=True)
    boot.write_text("first\n")
    knobs = Knobs(machine, tmp_path / "j")
    knobs.journal.take()
    turned = knobs.turned({"raid.write_policy": "write-through"}, DATA)
    turned.__enter__()
    knobs.journal.release()
    boot.write_text("second\n")
    assert sweep_knobs(machine, tmp_path / "j") == [
        "put host.raid.write_policy of storcli:/c0/v1 back to write-back"
    ]
    assert said(state)["write"] == "WriteBack"


CHILD = """\
import sys
from pathlib import Path
from assay.system.host import Knobs, Machine
with Knobs(Machine(Path(sys.argv[1]), commands=sys.argv[2]), Path(sys.argv[3])) as knobs:
    with knobs.turned({"raid.write_policy": "write-through"}, Path("/data/mysql")):
        pass
"""


def test_a_program_that_outlives_its_killed_lab_is_waited_for(
    controllers: Controllers, state: Path, tmp_path: Path
) -> None:
    """Else it would set what was just found to be in order."""
    machine = controllers("storcli64")
    state.write_text(json.dumps({**fake_raid.FIRST, "delay": 0.9}))
    words = [str(machine.root), str(machine.commands), str(tmp_path / "j")]
    lab = subprocess.Popen([sys.executable, "-c", CHILD, *words])
    try:
        while not state.with_suffix(".busy").exists():
            assert lab.poll() is None
            time.sleep(0.01)
    finally:
        lab.kill()
        lab.wait()
        before = said(state)["write"]
        state.with_suffix(".go").touch()
    assert before == "WriteBack"
    assert sweep_knobs(machine, tmp_path / "j") == [
        "put host.raid.write_policy of storcli:/c0/v1 back to write-back"
    ]
    assert ["/c0/v1", "set", "wrcache=wt", "J"] in said(state)["calls"]
    assert said(state)["write"] == "WriteBack"


def test_a_tool_that_fails_says_so(controllers: Controllers) -> None:
    machine = controllers("storcli64")
    assert machine.commands is not None
    (Path(machine.commands) / "storcli64").write_text("#!/bin/sh\necho 'no controller found' >&2\nexit 3\n")
    (reason,) = unavailable({"raid.write_policy": "write-back"}, DATA, machine)
    assert "storcli64 /call/vall show all J ended with exit code 3" in reason


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("program", "target", "controller"),
    [
        (
            "storcli64",
            ("storcli", "/c0/v1"),
            {
                "c0.model": "MegaRAID 9361-8i",
                "c0.firmware": "4.680.00-8519",
                "c0.cache": "729 MB",
                "c0.battery": "CVPM02 Optimal",
            },
        ),
        (
            "MegaCli64",
            ("MegaCli", "a0/L1"),
            {"a0.model": "LSI MegaRAID SAS 9260-8i", "a0.cache": "512MB", "a0.battery": "Operational"},
        ),
    ],
)
def test_facts(
    controllers: Controllers, state: Path, program: str, target: tuple[str, str], controller: dict[str, str]
) -> None:
    machine, (tool, drive) = controllers(program), target

    def facts() -> dict[str, Any]:
        found: dict[str, Any] = host_facts([DATA], machine)["raid"][tool]  # type: ignore[index]
        return found

    assert controller.items() <= facts()["controllers"].items()
    found = facts()[drive]
    assert (found["disk"], found["write_policy"]) == ("sda", "write-back")
    assert found["raid"] == "RAID10"
    assert found.get("disks") in (None, "4 × ST1200MM0088 (SAS HDD)")
    assert found["state"] in ("Optl", "Optimal")
    assert "write_policy_set" not in found
    state.write_text(json.dumps({**said(state), "battery": False}))
    assert facts()[drive]["write_policy"] == "write-through"
    assert facts()[drive]["write_policy_set"] == "write-back"
    (finding,) = [one for one in at_rest({"raid": {tool: facts()}}) if one.name == "RAID controller"]
    assert "is set to write-back, but writes through" in finding.found
