"""What would disturb a measurement: each check on facts that say so, and on facts that do not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from assay.system.host import Machine, host_facts
from assay.system.host.check.at_rest import at_rest
from assay.system.host.check.now import (
    busiest,
    busy_disks,
    by_program,
    left_changed,
    right_now,
    shares,
    swinging,
)

GIB = 1 << 30

QUIET: dict[str, Any] = {
    "cpu": {"governor": "performance", "smt": "off"},
    "memory": {"transparent_hugepage": "never", "swap_total_bytes": 0},
    "kernel": {"clocksource": "tsc"},
    "block": {"sda": {"kind": "disk"}},
    "file_system": {"/": {"type": "xfs", "free_bytes": GIB, "total_bytes": 2 * GIB}},
}

# Subject and value that disturb, the finding, and what it says.
DISTURBING: list[tuple[dict[str, Any], str, str]] = [
    ({"cpu": {"governor": "powersave"}}, "governor", "powersave"),
    ({"cpu": {"throttled": 3}}, "throttling", "3 times"),
    ({"memory": {"transparent_hugepage": "always"}}, "huge pages", "always"),
    ({"memory": {"swap_total_bytes": 4 * GIB, "swap_free_bytes": GIB}}, "swap", "3072 MiB"),
    ({"memory": {"vm": {"zone_reclaim_mode": 1}}}, "zone reclaim", "one node"),
    ({"numa": {"nodes": 2, "balancing": 1}}, "NUMA balancing", "moves pages"),
    ({"kernel": {"clocksource": "hpet", "clocksources": "hpet acpi_pm"}}, "clock", "hpet"),
    ({"cgroup": {"cpu_max": "150000 100000"}}, "quota", "1.5 processors"),
    ({"cgroup": {"cpu_quota_us": "50000", "cpu_period_us": "100000"}}, "quota", "0.5 processors"),
    ({"cgroup": {"cpu_max": "50000 100000", "cpu_throttled": 7}}, "quota", "7 times so far"),
    ({"block": {"md0": {"kind": "md", "raid_degraded": 1, "raid_disks": 4}}}, "array", "lacks 1 of its 4"),
    ({"block": {"md0": {"kind": "md", "raid_sync_action": "resync"}}}, "array", "resync"),
    (
        {
            "block": {"md0": {"kind": "md", "raid_sync_action": "recover"}},
            "raid": {
                "mdadm": {"md0": {"state": "clean, degraded, recovering", "progress": "rebuild 10% complete"}}
            },
        },
        "array",
        "recover (rebuild 10% complete)",
    ),
    (
        {"block": {"sda": {"drive_write_cache": "write back", "queue": {"write_cache": "write through"}}}},
        "disk",
        "receives no flushes",
    ),
    ({"file_system": {"/x": {"type": "tmpfs"}}}, "file system", "in memory"),
    ({"file_system": {"/x": {"type": "overlay"}}}, "file system", "overlay"),
    ({"file_system": {"/x": {"type": "ext4", "super_options": "rw,nobarrier"}}}, "file system", "no flushes"),
    ({"raid": {"storcli": {"/c0/v1": {"state": "Dgrd"}}}}, "RAID controller", "/c0/v1 is Dgrd"),
    (
        {"raid": {"storcli": {"/c0/v1": {"state": "Optl", "at_work": "Rebuild"}}}},
        "RAID controller",
        "is busy in the background: Rebuild",
    ),
    (
        {
            "raid": {
                "storcli": {
                    "/c0/v1": {
                        "state": "Optl",
                        "write_policy": "write-through",
                        "write_policy_set": "write-back",
                    }
                }
            }
        },
        "RAID controller",
        "is set to write-back, but writes through",
    ),
]


def test_a_machine_that_is_made_for_it() -> None:
    assert {finding.outcome for finding in at_rest(QUIET)} == {"ok"}


@pytest.mark.parametrize(("facts", "name", "says"), DISTURBING, ids=lambda value: str(value)[:40])
def test_what_disturbs(facts: dict[str, Any], name: str, says: str) -> None:
    (found,) = [finding for finding in at_rest(QUIET | facts) if finding.outcome == "disturbs"]
    assert found.name == name
    assert says in found.found
    assert found.how_to_mend or name == "clock"


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"cpu": {"turbo": True}}, "turbo"),
        ({"cpu": {"smt": "on"}}, "multithreading"),
        ({"memory": {"swap_total_bytes": GIB, "swap_free_bytes": GIB, "vm": {"swappiness": 60}}}, "swap"),
        ({"numa": {"nodes": 2}}, "NUMA"),
        ({"kernel": {"clocksource": "kvm-clock"}}, "clock"),
        ({"system": {"virtualisation": "yes"}}, "machine"),
        ({"block": {}}, "disk"),
        ({"block": {"loop0": {"kind": "loop"}}}, "disk"),
        ({"file_system": {"/": {"type": "xfs", "options": "rw,discard"}}}, "file system"),
        ({"file_system": {"/": {"type": "xfs", "free_bytes": 1, "total_bytes": 100}}}, "file system"),
        (
            {"raid": {"storcli": {"/c0/v1": {"state": "Optl", "write_policy": "write-through"}}}},
            "RAID controller",
        ),
        (
            {"raid": {"MegaCli": {"a0/L1": {"state": "Optimal", "write_policy": "always-write-back"}}}},
            "RAID controller",
        ),
        ({"raid": {"storcli": {"error": "No Controller found"}}}, "RAID controller"),
        ({"block": {"sda": {"kind": "disk", "driver": "megaraid_sas"}}}, "RAID controller"),
        ({"block": {"sda": {"kind": "disk", "driver": "hpsa"}}}, "RAID controller"),
        (
            {
                "cgroup": {"memory_max": str(GIB)},
                "memory": {"total_bytes": 4 * GIB, "swap_total_bytes": 0},
            },
            "memory",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_worth_knowing(facts: dict[str, Any], name: str) -> None:
    (found,) = [finding for finding in at_rest(QUIET | facts) if finding.outcome != "ok"]
    assert (found.name, found.outcome) == (name, "note")


def test_a_controller_that_its_tool_knows() -> None:
    found = {
        "block": {"sda": {"kind": "disk", "driver": "megaraid_sas"}},
        "raid": {
            "storcli": {"/c0/v1": {"disk": "sda", "state": "Optl", "write_policy": "write-back"}},
            "mdadm": {"md0": {"state": "clean"}},
        },
    }
    assert {finding.outcome for finding in at_rest(QUIET | found)} == {"ok"}


def test_facts_of_recorded_machines(machine: Callable[[str], Machine]) -> None:
    for name in ("vm", "two-sockets"):
        assert at_rest(host_facts([Path("/srv/my data")], machine(name)))


def _cpu(**parts: float) -> dict[str, float]:
    return {f"{part}_us_total": value for part, value in parts.items()}


def test_time_that_others_take() -> None:
    before = _cpu(user=0, idle=0, steal=0)
    assert [found.outcome for found in shares(before, _cpu(user=1e4, idle=1e6, steal=0))] == ["ok"]
    (busy,) = shares(before, _cpu(user=5e5, idle=5e5, steal=0), who="rustc 1")
    assert (busy.outcome, "50%" in busy.found, "rustc 1 " in busy.found) == ("disturbs", True, True)
    assert [found.outcome for found in shares(before, _cpu(user=5e5, idle=5e5), own_us=5e5)] == ["ok"]
    stolen, _ = shares(before, _cpu(user=0, idle=9e5, steal=1e5))
    assert (stolen.name, stolen.outcome) == ("steal", "disturbs")
    assert list(shares(before, before)) == []


def test_who_takes_it(tmp_path: Path) -> None:
    def seen(**ticks: int) -> dict[tuple[int, str], float]:
        for number, (program, spent) in enumerate(ticks.items(), start=100_000_000):
            stat = tmp_path / f"proc/{number}/stat"
            stat.parent.mkdir(parents=True, exist_ok=True)
            stat.write_text(f"{number} ({program} (x)) S 1 1 1 0 -1 0 0 0 0 0 {spent} 50 0 0 20 0\n")
        return by_program(Machine(tmp_path))

    before = seen(idle=10, cc1=0)
    after = seen(idle=10, cc1=200, make=50)  # ticks of 10 ms
    assert busiest(before, after, 2.0) == "cc1 (x) 1, make (x) 0.5"


def test_disks_at_work() -> None:
    before = {"sda.busy_us_total": 0.0, "sdb.busy_us_total": 0.0, "sda.reads_total": 0.0}
    after = {"sda.busy_us_total": 1e6, "sdb.busy_us_total": 1e4, "sda.reads_total": 9.0}
    (busy,) = busy_disks(before, after, 2.0)
    assert "sda is busy 50%" in busy.found


def test_a_canary_that_swings() -> None:
    assert swinging([600.0] * 36 + [9000.0] * 4).outcome == "ok"
    assert swinging([600.0] * 30 + [900.0] * 10).outcome == "disturbs"


def test_settings_that_were_left(tmp_path: Path) -> None:
    assert list(left_changed(tmp_path)) == []
    (tmp_path / "journal").write_text(json.dumps({}))
    (found,) = left_changed(tmp_path)
    assert (found.outcome, found.how_to_mend) == (
        "disturbs",
        "assay server sweep restores settings that no running study needs",
    )


def test_this_machine_right_now(tmp_path: Path) -> None:
    names = {finding.name for finding in right_now(Machine(), 0.2, tmp_path)}
    assert {"load", "canary"} <= names
