"""What others used: the reading of a recorded machine, and the arithmetic on what kernels really count."""

from __future__ import annotations

import os
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from assay.design.folder.others import LOAD_LIMIT, others_between
from assay.system.host import Machine, others
from assay.system.host.sampler.others import KERNEL_THREADS_A_READING
from quiet_machine import quiet_readings

TICK_US = 1e6 / os.sysconf("SC_CLK_TCK")
KERNEL = 0x0020_0040
ME = os.getpid()


class Planted:
    """A /proc of two processors whose processes and times are written by hand, in ticks."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.machine = Machine(root)

    def processors(self, used: int = 0, idle: int = 0) -> None:
        line = f"cpu {used} 0 0 {idle} 0 0 0 0 0 0\n"
        (self.root / "proc").mkdir(exist_ok=True)
        (self.root / "proc/stat").write_text(line + "cpu0 0\ncpu1 0\nintr 5\n")

    def process(
        self, pid: int, parent: int, used: int, *, name: str = "x", ended: int = 0, flags: int = 0
    ) -> None:
        folder = self.root / "proc" / str(pid)
        folder.mkdir(parents=True, exist_ok=True)
        times = f"{used} 0 {ended} 0"
        (folder / "stat").write_text(
            f"{pid} ({name}) S {parent} 0 0 0 -1 {flags} 0 0 0 0 {times} 20 0 1 0 0 0\n"
        )

    def ends(self, pid: int) -> None:
        (self.root / "proc" / str(pid) / "stat").unlink()
        (self.root / "proc" / str(pid)).rmdir()


@pytest.fixture
def planted(tmp_path: Path) -> Planted:
    made = Planted(tmp_path)
    made.processors()
    made.process(ME, 1, 100, ended=10)
    return made


def ticks(values: dict[str, float], name: str) -> float:
    return values[f"{name}_us_total"] / TICK_US


def test_own_is_this_process_and_all_that_it_started(planted: Planted) -> None:
    planted.process(900001, ME, 30)
    planted.process(900002, 900001, 7)
    planted.process(900003, 1, 1000, name="a (strange) name")
    source = others(machine=planted.machine)
    assert ticks(source.read(), "own") == 100 + 10 + 30 + 7
    planted.process(900003, 1, 1060, name="a (strange) name")
    assert ticks(source.read(), "program.900003.a (strange) name") == 60


def test_what_a_process_used_is_not_lost_when_it_ends(planted: Planted) -> None:
    planted.process(900001, ME, 300)
    source = others(machine=planted.machine)
    before = ticks(source.read(), "own")
    planted.ends(900001)
    planted.process(ME, 1, 100, ended=10 + 305)
    assert ticks(source.read(), "own") == before + 5


def test_a_running_server_is_the_measurement_s_where_its_process_is_known(planted: Planted) -> None:
    planted.process(900005, 1, 40, name="mariadbd")
    assert ticks(others([900005], planted.machine).read(), "own") == 110 + 40
    assert "own_us_total" not in others(None, planted.machine).read()


def test_a_kernel_s_worker_that_ends_takes_nothing_back(planted: Planted) -> None:
    planted.process(900007, 2, 500, name="kworker/0:1", flags=KERNEL)
    source = others(machine=planted.machine)
    assert ticks(source.read(), "kernel") == 500
    planted.ends(900007)
    planted.process(900008, 2, 4, name="kworker/0:2", flags=KERNEL)
    values = source.read()
    assert ticks(values, "kernel") == 504
    assert not [name for name in values if name.startswith("program.")]


def test_this_machine_is_read_as_it_is() -> None:
    source = others()
    first = source.read()
    began = time.process_time()
    while time.process_time() - began < 0.05:
        pass
    last = source.read()
    assert last["own_us_total"] > first["own_us_total"]
    assert all(last[name] >= first[name] for name in first)
    assert last["processors"] == os.cpu_count()


def window(
    random: np.random.Generator, processors: int, *, own: float, kernel: float, foreign: float, steal: float
) -> dict[str, float]:
    """Growth over one second as a kernel with 250 ticks a second counts it.

    Processes' times and idleness exactly, those of the processors by what each tick found, all cut to 10 ms.
    """
    at_ticks = random.binomial(250 * processors, min(1.0, (own + kernel + foreign) / processors))
    interrupts = random.uniform(0, 0.02) * processors
    seconds = {
        "elapsed": float(processors),
        "used": at_ticks / 250,
        "idle": max(0.0, processors - own - kernel - foreign - steal - interrupts),
        "irq": interrupts,
        "steal": steal,
        "own": own,
        "kernel": kernel,
    }
    cut = {name: 1e6 * np.floor(value * 100) / 100 for name, value in seconds.items()}
    return {f"{name}_us_total": value for name, value in cut.items()} | {"processors": float(processors)}


def cases(
    random: np.random.Generator, foreign: float, count: int = 500
) -> list[tuple[int, dict[str, float]]]:
    made = []
    for _ in range(count):
        processors = int(random.choice([1, 2, 4, 8, 32, 128]))
        taken = foreign if processors > 1 else foreign / 2  # they share the only one
        rest = processors - taken
        kernel, steal = random.uniform(0, 0.08, 2) * rest
        own = random.uniform(0, rest - kernel - steal - 0.02 * processors)
        made.append(
            (processors, window(random, processors, own=own, kernel=kernel, foreign=taken, steal=steal))
        )
    return made


ZERO = dict.fromkeys(
    [
        *(f"{name}_us_total" for name in ("used", "idle", "irq", "steal", "elapsed", "own", "kernel")),
        "processors",
    ],
    0.0,
)


def test_quiet_windows_are_quiet_whatever_the_measurement_itself_does() -> None:
    """A single reading's distance, the least that a window of two seconds has."""
    found = [others_between(ZERO, grown) for _, grown in cases(np.random.default_rng(1), 0.0)]
    assert all(seen is not None and not seen.disturb for seen in found)


def test_a_busy_loop_is_seen_on_machines_of_every_size() -> None:
    for processors, grown in cases(np.random.default_rng(2), 1.0):
        used = 1e6 if processors > 1 else 0.5e6
        seen = others_between(ZERO, grown | {"program.7.loop_us_total": used})
        assert seen is not None
        assert seen.disturb, (processors, grown)
        assert seen.named.startswith("loop ")
        if processors <= 16:
            assert seen.share > LOAD_LIMIT


def test_stolen_time_is_no_load_of_other_programs() -> None:
    grown = window(np.random.default_rng(3), 2, own=0.9, kernel=0.0, foreign=0.0, steal=1.0)
    seen = others_between(ZERO, grown)
    assert seen is not None
    assert not seen.disturb
    assert seen.steal == pytest.approx(0.5, abs=0.02)


def test_readings_that_do_not_tell_say_nothing() -> None:
    grown = window(np.random.default_rng(4), 2, own=0.5, kernel=0.0, foreign=1.0, steal=0.0)
    unknown = {name: value for name, value in grown.items() if name != "own_us_total"}
    assert others_between(ZERO, unknown) is None
    assert others_between(grown, ZERO) is None


def test_a_busy_machine_whose_load_is_all_the_measurement_s_is_quiet() -> None:
    pairs = list(pairwise(quiet_readings()))
    assert len(pairs) >= 200
    for first, last in pairs:
        seen = others_between(first, last)
        assert seen is not None
        assert not seen.disturb


def test_thousands_of_kernel_threads_are_read_in_turns(planted: Planted) -> None:
    threads = range(900001, 900001 + 3 * KERNEL_THREADS_A_READING)
    for pid in threads:
        planted.process(pid, 2, 10, name="kworker", flags=KERNEL)
    source = others(machine=planted.machine)
    assert ticks(source.read(), "kernel") == 10 * len(threads)
    for pid in threads:
        planted.process(pid, 2, 11, name="kworker", flags=KERNEL)
    planted.process(900000, ME, 5)
    readings = [source.read() for _ in range(3)]
    assert [ticks(one, "kernel") for one in readings] == [
        10 * len(threads) + number * KERNEL_THREADS_A_READING for number in (1, 2, 3)
    ]
    assert {ticks(one, "own") for one in readings} == {115}
