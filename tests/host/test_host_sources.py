"""Sources: values of recorded files, named by the rule, counters that never fall."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.system.host import Machine, cores, cpu, disks, frequency, memory, network, pressure, processes

Machines = Callable[[str], Machine]


def test_cpu(machine: Machines) -> None:
    recorded = machine("vm")
    ticks = (recorded.text("/proc/stat") or "").split()[1:9]
    values = cpu(recorded).read()
    tick_us = 1e6 / os.sysconf("SC_CLK_TCK")
    names = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
    assert [values[f"{name}_us_total"] for name in names] == [int(tick) * tick_us for tick in ticks]
    load = (recorded.text("/proc/loadavg") or "").split()
    assert values["load_1m"] == float(load[0])
    assert values["context_switches_total"] > 0
    assert values["procs_blocked"] >= 0


def test_each_processor(machine: Machines) -> None:
    recorded = machine("vm")
    values, together = cores(recorded).read(), cpu(recorded).read()
    assert set(values) == {
        f"{number}.{part}_us_total"
        for number in (0, 1)
        for part in ("busy", "user", "iowait", "softirq", "steal")
    }
    tick_us = 1e6 / os.sysconf("SC_CLK_TCK")
    for part in ("iowait", "steal"):
        # The kernel adds ticks up before it cuts their fractions off.
        apart = values[f"0.{part}_us_total"] + values[f"1.{part}_us_total"]
        assert apart == pytest.approx(together[f"{part}_us_total"], abs=2 * tick_us)


def test_clocks(machine: Machines) -> None:
    assert frequency(machine("vm")).read() == {}
    big = machine("two-sockets")
    for policy, khz in (("policy0", 3_000_000), ("policy4", 2_000_000)):
        file = big.path(f"/sys/devices/system/cpu/cpufreq/{policy}/scaling_cur_freq")
        file.parent.mkdir(parents=True)
        file.write_text(f"{khz}\n")
    assert frequency(big).read() == {"mean_mhz": 2500, "min_mhz": 2000, "max_mhz": 3000}


def test_network(tmp_path: Path) -> None:
    net, recorded = tmp_path / "proc/net", Machine(tmp_path)
    net.mkdir(parents=True)
    (tmp_path / "sys/class/net/eth0/device").mkdir(parents=True)
    (net / "dev").write_text(
        "Inter-|   Receive                            |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
        "    lo: 10 1 0 0 0 0 0 0 10 1 0 0 0 0 0 0\n"
        "  eth0: 500 5 1 2 0 0 0 0 700 7 3 4 0 0 0 0\n"
        "docker0: 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9\n"
    )
    (net / "snmp").write_text("Tcp: RtoMin InSegs RetransSegs\nTcp: 200 10 3\nUdp: InErrors\nUdp: 1\n")
    (net / "netstat").write_text("TcpExt: ListenOverflows ListenDrops\nTcpExt: 5 6\n")
    values = network(recorded).read()
    assert {name: value for name, value in values.items() if not name.startswith("lo.")} == {
        "eth0.received_bytes_total": 500,
        "eth0.received_packets_total": 5,
        "eth0.receive_errors_total": 1,
        "eth0.receive_drops_total": 2,
        "eth0.sent_bytes_total": 700,
        "eth0.sent_packets_total": 7,
        "eth0.send_errors_total": 3,
        "eth0.send_drops_total": 4,
        "tcp.retransmitted_segments_total": 3,
        "tcp.listen_overflows_total": 5,
        "tcp.listen_drops_total": 6,
    }
    assert values["lo.sent_bytes_total"] == 10


def test_a_loop_device_under_the_data_is_read_too(machine: Machines) -> None:
    recorded = machine("vm")
    assert "loop0.reads_total" not in disks(recorded).read()
    assert "loop0.reads_total" in disks(recorded, also=["loop0"]).read()


def test_memory(machine: Machines) -> None:
    values = memory(machine("vm")).read()
    assert values["available_bytes"] % 1024 == 0
    assert values["available_bytes"] > values["dirty_bytes"]
    assert values["faults_total"] > values["major_faults_total"]


def test_disks_are_real_ones_in_bytes_and_microseconds(machine: Machines) -> None:
    values = disks(machine("two-sockets")).read()
    assert values == {
        "nvme0n1.reads_total": 100,
        "nvme0n1.reads_merged_total": 1,
        "nvme0n1.read_bytes_total": 2048 * 512,
        "nvme0n1.read_time_us_total": 50_000,
        "nvme0n1.writes_total": 200,
        "nvme0n1.writes_merged_total": 2,
        "nvme0n1.write_bytes_total": 4096 * 512,
        "nvme0n1.write_time_us_total": 80_000,
        "nvme0n1.in_flight": 3,
        "nvme0n1.busy_us_total": 120_000,
        "nvme0n1.queue_time_us_total": 130_000,
    }


def test_a_newer_kernel_has_flushes_and_discards(machine: Machines) -> None:
    recorded = machine("vm")
    values = disks(recorded).read()
    assert values["vda.flushes_total"] > 0
    assert values["vda.discard_bytes_total"] > 0
    assert not any(name.startswith("loop") for name in values)


def test_pressure(machine: Machines) -> None:
    assert set(pressure(machine("vm")).read()) == {
        f"{resource}.{share}_us_total" for resource in ("cpu", "io", "memory") for share in ("some", "full")
    }
    assert pressure(machine("two-sockets")).read() == {}


def test_a_process_and_its_threads(machine: Machines) -> None:
    source = processes({"server": 4711, "engine": 4999}, machine("vm"))
    tick_us = 1e6 / os.sysconf("SC_CLK_TCK")
    assert source.read() == {
        "server.user_us_total": 250 * tick_us,
        "server.system_us_total": 75 * tick_us,
        "server.minor_faults_total": 4410,
        "server.major_faults_total": 19,
        "server.rss_bytes": 26000 * os.sysconf("SC_PAGE_SIZE"),
        "server.threads": 3,
        "server.read_bytes_total": 4096,
        "server.write_bytes_total": 8192,
        "server.voluntary_switches_total": 60,
        "server.involuntary_switches_total": 6,
    }


def test_switches_of_a_thread_that_ended_stay_counted(machine: Machines) -> None:
    recorded = machine("vm")
    source = processes({"server": 4711}, recorded)
    source.read()
    thread = recorded.path("/proc/4711/task/4713")
    (thread / "status").unlink()
    thread.rmdir()
    first = recorded.path("/proc/4711/task/4711/status")
    first.write_text("voluntary_ctxt_switches:\t15\nnonvoluntary_ctxt_switches:\t1\n")
    assert source.read()["server.voluntary_switches_total"] == 65


def test_a_process_may_come_and_go(machine: Machines) -> None:
    source = processes(machine=machine("vm"))
    assert source.read() == {}
    source.watch("server", 4711)
    assert source.read()["server.threads"] == 3
    source.forget("server")
    assert source.read() == {}


@pytest.mark.parametrize("source", [cpu(), cores(), memory(), network(), processes({"me": os.getpid()})])
def test_here_counters_do_not_fall(source: cpu | cores | memory | network | processes) -> None:
    first, second = source.read(), source.read()
    counters = [name for name in first if name.endswith("_total")]
    assert counters
    assert all(second[name] >= first[name] for name in counters)
