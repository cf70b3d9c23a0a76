"""The time of a transaction by what it waited for: recorded switches of real servers, and planted ones."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import msgspec
import pytest
from assay.design.folder import SwitchProfile, ThreadTimes, WaitStack
from assay.results.ledger import MeasuredLoad
from assay.results.ledger.waits.time_ledger import EITHER, PREEMPTED, THROTTLED, OpenLoop, time_lines
from assay.system.host.perf.switch_records import FrameNames, Lost, SwitchedIn, switch_records
from assay.system.host.perf.thread_times import Recorded, switch_profile

RECORDED = Path(__file__).parent / "switches"
CLOSED = MeasuredLoad(4.0, "threads", {"tps": 500.0})
MS = 1_000_000


def _profile(text: str, flavour: str, **more: Any) -> SwitchProfile:
    names = FrameNames()
    records = list(switch_records(text.splitlines(keepends=True), names))
    times = [one.ns for one in records if not isinstance(one, Lost)]
    recorded = Recorded(records, names, min(times), max(times), **more)
    return switch_profile(recorded, flavour=flavour)


def _groups(
    profile: SwitchProfile, measured: MeasuredLoad = CLOSED, loop: OpenLoop | None = None
) -> dict[str, float]:
    found: dict[str, float] = {}
    for line in time_lines(profile, measured, loop):
        found[line.group] = found.get(line.group, 0.0) + line.amount
    return found


@pytest.mark.parametrize(
    ("recording", "first", "least"),
    [
        ("mariadb-row-locks", "row-locks", 0.4),
        ("mariadb-commits", "commit", 0.6),
        ("mariadb-reads", "data-reads", 0.5),
        ("mariadb-quota", "runnable", 0.4),
        ("mysql-row-locks", "row-locks", 0.5),
    ],
)
def test_the_planted_wait_is_named_first(recording: str, first: str, least: float) -> None:
    """Recordings of perf 6.1 on stripped builds, with Debian's libc, which has no frame pointers."""
    text = lzma.decompress((RECORDED / f"{recording}.txt.xz").read_bytes()).decode()
    profile = _profile(text, recording.partition("-")[0])
    found = _groups(profile)
    assert max(found, key=lambda group: found[group]) == first
    total = 1e6 * 4 / 500
    assert found[first] > least * total
    assert sum(found.values()) == pytest.approx(total)
    assert profile.load.threads == 4
    assert abs(found["unnamed"]) < 0.1 * total, "so short a window cuts waits"


def _switch(tid: int, ms: float, what: str, *frames: str) -> str:
    """Returns lines as perf prints them."""
    head = f"mariadbd 7/{tid} {ms / 1000:.9f}: "
    if what == "leave":
        return (
            head
            + "context-switches: \n"
            + "".join(f"\t  7f00 {one} (/x/mariadbd)\n" for one in frames)
            + "\n"
        )
    return f"{head}PERF_RECORD_{what}\n"


_CLIENT = ("schedule", "do_sys_poll", "vio_read", "do_command", "start_thread")
_BUSY = ("schedule", "asm_sysvec_reschedule_ipi", "JOIN::exec", "do_command", "start_thread")


def test_a_slow_mutex_is_named_first() -> None:
    """Four connections take turns: each holds a mutex of InnoDB for 3 ms, and waits 9 for the others."""
    waits = ("do_futex", "do_syscall_64", "entry_SYSCALL_64_after_hwframe", "syscall", "[mariadbd]")
    stack = (*waits, "handler::ha_write_row", "do_command", "start_thread")
    turns = sorted((12 * turn + 3 * tid, tid) for turn in range(10) for tid in range(4))
    text = "".join(
        _switch(tid, at, "SWITCH IN")
        + _switch(tid, at + 3, "leave", *stack)
        + _switch(tid, at + 3, "SWITCH OUT")
        for at, tid in turns
    )
    found = list(time_lines(_profile(text, "mariadb", load=dict.fromkeys(range(4), "")), CLOSED))
    first = max(found, key=lambda one: one.amount)
    assert (first.group, first.line) == ("latches", "handler::ha_write_row")
    assert first.amount > 0.6 * 1e6 * 4 / 500


def test_a_quota_makes_threads_wait_for_a_processor() -> None:
    """Two connections of which each runs 1 ms and is preempted for 9, and what schedstat says of wake-ups."""
    text = ""
    for at in range(0, 100, 10):
        for tid in (1, 2):
            text += _switch(tid, at + tid / 10, "SWITCH IN")
            text += _switch(tid, at + 1, "leave", *_BUSY) + _switch(tid, at + 1, "SWITCH OUT preempt")
    measured = MeasuredLoad(2.0, "threads", {"tps": 200.0})
    profile = _profile(text, "mariadb", load={1: "", 2: ""})
    found = _groups(profile, measured)
    assert max(found, key=lambda group: found[group]) == "runnable"
    assert found["runnable"] == pytest.approx(1e6 * 2 / 200 * 0.89, rel=0.03)
    ns = profile.load.preempted_ns
    for throttled, of_quota_ns, expected in (
        (0, 0, {PREEMPTED: 1.0}),
        (None, None, {PREEMPTED: 1.0}),
        (1, ns // 10, {PREEMPTED: 0.9, THROTTLED: 0.1}),  # one period does not name all of the time
        (9, 3 * ns, {THROTTLED: 1.0}),
        (1, None, {EITHER: 1.0}),  # of an earlier release
    ):
        quota = msgspec.structs.replace(profile, throttled=throttled, throttled_ns=of_quota_ns)
        lines = {one.line: one.amount for one in time_lines(quota, measured) if one.group == "runnable"}
        total = sum(lines.values())
        assert {name: amount / total for name, amount in lines.items()} == pytest.approx(expected, rel=1e-6)


def test_connections_of_a_thread_pool_wait_outside_of_its_threads() -> None:
    """Two threads serve four connections: each runs 10 ms, commits 30, and has no work for 60."""
    entry = ("do_syscall_64", "entry_SYSCALL_64_after_hwframe")
    commit = ("do_fsync", *entry, "fdatasync", "ha_commit_trans", "do_command", "start_thread")
    idle = ("do_futex", *entry, "pthread_cond_timedwait", "get_event", "start_thread")
    text = "".join(
        _switch(tid, 0, "SWITCH IN")
        + _switch(tid, 10, "leave", *commit)
        + _switch(tid, 10, "SWITCH OUT")
        + _switch(tid, 40, "SWITCH IN")
        + _switch(tid, 40, "leave", *idle)
        + _switch(tid, 40, "SWITCH OUT")
        + _switch(tid, 100, "SWITCH IN")
        for tid in (1, 2)
    )
    found = _groups(_profile(text, "mariadb"), MeasuredLoad(4.0, "threads", {"tps": 100.0}))
    assert found == pytest.approx(
        {"on-cpu": 2000.0, "commit": 6000.0, "client": 32_000.0, "unnamed": 0.0}, abs=1e-6
    )


def test_think_time_is_the_clients_and_the_rest_of_its_time_stays() -> None:
    text = (
        _switch(1, 0, "SWITCH IN")
        + _switch(1, 20, "leave", *_CLIENT)
        + _switch(1, 20, "SWITCH OUT")
        + _switch(1, 100, "SWITCH IN")
    )
    profile = _profile(text, "mariadb", load={1: ""})
    measured = MeasuredLoad(1.0, "threads", {"tps": 10.0, "mean_think_ms": 50.0})
    found = {(one.group, one.line): one.amount for one in time_lines(profile, measured)}
    assert found == pytest.approx(
        {
            ("on-cpu", ""): 20_000.0,
            ("client", "next statement"): 30_000.0,
            ("client", "think time"): 50_000.0,
            ("unnamed", ""): 0.0,
        },
        abs=1e-6,
    )


def test_the_time_without_a_connection_is_no_time_to_think() -> None:
    text = (
        _switch(1, 0, "SWITCH IN")
        + _switch(1, 20, "leave", *_CLIENT)
        + _switch(1, 20, "SWITCH OUT")
        + _switch(1, 60, "SWITCH IN")
    )
    profile = _profile(text, "mariadb", load={1: ""})
    pauses = {"mean_think_ms": 50.0, "mean_connect_ms": 50.0}
    found = {
        (one.group, one.line): one.amount
        for one in time_lines(profile, MeasuredLoad(1.0, "threads", {"tps": 10.0, **pauses}))
    }
    assert ("client", "think time") not in found
    assert found["client", "opening the connection again"] == pytest.approx(
        min(50_000, 100_000 - sum(ns for name, ns in found.items() if "again" not in name[1]))
    )
    assert sum(found.values()) == pytest.approx(100_000)


def test_a_wait_for_a_processor_after_a_wake_up_is_taken_off_the_wait() -> None:
    text = (
        _switch(1, 0, "SWITCH IN")
        + _switch(1, 10, "leave", *_CLIENT)
        + _switch(1, 10, "SWITCH OUT")
        + _switch(1, 50, "SWITCH IN")
        + _switch(1, 60, "leave", *_CLIENT)
        + _switch(1, 60, "SWITCH OUT")
        + _switch(1, 62, "SWITCH IN")
        + _switch(1, 100, "SWITCH OUT preempt")
    )
    times = _profile(text, "mariadb", load={1: ""}, delays={1: 12 * MS}).load
    assert times == ThreadTimes(threads=1, on_cpu_ns=58 * MS, woken_ns=12 * MS)
    kept = sum(one.ns for one in _profile(text, "mariadb", delays={1: 12 * MS}).stacks)
    assert kept == 30 * MS, (
        "the short wait is 2 ms long, so all of it and 10 ms of the long one are taken off"
    )


def test_waking_up_is_told_apart_by_what_was_waited_for() -> None:
    sleeping = (
        "do_nanosleep",
        "__x64_sys_clock_nanosleep",
        "clock_nanosleep",
        "usleep",
        "mysql_execute_command",
        "start_thread",
    )
    text = (
        _switch(1, 0, "SWITCH IN")
        + _switch(1, 10, "leave", *_CLIENT)
        + _switch(1, 10, "SWITCH OUT")
        + _switch(1, 30, "SWITCH IN")
        + _switch(1, 40, "leave", *sleeping)
        + _switch(1, 40, "SWITCH OUT")
        + _switch(1, 70, "SWITCH IN")
        + _switch(1, 100, "SWITCH OUT preempt")
    )
    profile = _profile(text, "mariadb", load={1: ""}, delays={1: 12 * MS})
    measured = MeasuredLoad(1.0, "threads", {"tps": 10.0})
    found = {(one.ledger, one.group, one.line): one.amount for one in time_lines(profile, measured)}
    assert found["time", "runnable", "woken"] == pytest.approx(6_000.0)
    assert found["time", "runnable", "woken after sleep"] == pytest.approx(6_000.0)
    assert found["time", "sleep", "do_nanosleep"] == pytest.approx(24_000.0)
    assert (
        found["counts", "wake-delay", "sleep"] == found["counts", "wake-delay", ""] == pytest.approx(6_000.0)
    )
    throttled = msgspec.structs.replace(profile, throttled=3)
    of_quota = {one.line: one.amount for one in time_lines(throttled, measured) if one.group == "runnable"}
    assert of_quota["woken"] == pytest.approx(12_000.0)


@pytest.mark.parametrize("tps", [3.0, 7.0, 11.0, 500.0, 1234.5])
def test_nothing_is_left_where_records_tell_all(tps: float) -> None:
    commit = ("do_fsync", "do_syscall_64", "fdatasync", "ha_commit_trans", "do_command", "start_thread")
    text = "".join(
        _switch(1, at, "SWITCH IN")
        + _switch(1, at + busy, "leave", *commit)
        + _switch(1, at + busy, "SWITCH OUT")
        for at, busy in ((0, 1), (9, 2), (18, 7))
    )
    text += _switch(1, 28, "SWITCH IN") + _switch(1, 31, "SWITCH OUT preempt")
    found = _groups(_profile(text, "mariadb", load={1: ""}), MeasuredLoad(1.0, "threads", {"tps": tps}))
    assert found["unnamed"] == 0.0


def test_what_no_record_tells_is_unnamed() -> None:
    """Lost records, a stack that breaks off, and a connection without a single record."""
    futex = ("schedule", "do_futex", "__futex_abstimed_wait_common")
    text = (
        _switch(1, 0, "SWITCH IN")
        + _switch(1, 10, "leave", *futex)
        + _switch(1, 10, "SWITCH OUT")
        + _switch(1, 40, "SWITCH IN")
        + _switch(0, 40, "LOST lost 3")
        + _switch(1, 60, "SWITCH IN")
        + _switch(1, 100, "SWITCH OUT preempt")
    )
    profile = _profile(text, "mariadb", load={1: "", 2: ""})
    assert profile.lost == 3
    assert profile.load.unseen_ns == (20 + 100) * MS
    found = _groups(profile, MeasuredLoad(2.0, "threads", {"tps": 20.0}))
    assert found == pytest.approx({"on-cpu": 25_000.0, "unnamed": 75_000.0})


def test_what_a_thread_waited_for_before_its_first_switch_the_server_says() -> None:
    text = _switch(1, 0, "SWITCH IN") + _switch(2, 40, "SWITCH IN") + _switch(1, 100, "SWITCH OUT preempt")
    load = {1: "client", 2: "row lock", 3: "table lock"}
    found = _groups(_profile(text, "mysql", load=load), MeasuredLoad(3.0, "threads", {"tps": 30.0}))
    assert found == pytest.approx(
        {"on-cpu": 160e3 / 3, "row-locks": 40e3 / 3, "table-locks": 100e3 / 3, "unnamed": 0.0}, abs=1e-6
    )


def test_waits_without_a_stack_go_by_those_that_last_about_as_long() -> None:
    """One in ten stacks was taken: short waits are for group commit, long ones for a row."""
    names = ["start_thread", "do_futex", "pthread_cond_timedwait", "handler::ha_rnd_next", "net_real_write"]
    stacks = [
        WaitStack(True, [], 7, 10, 800 * MS),
        WaitStack(True, [], 5, 10, 100 * MS),
        WaitStack(True, [1, 2, 3, 0], 7, 1, 90 * MS),
        WaitStack(True, [1, 2, 4, 0], 5, 1, 10 * MS),
        WaitStack(False, [1, 2, 4, 0], 7, 1, 10_000 * MS),
    ]
    profile = SwitchProfile(
        flavour="mariadb",
        window_ns=1000 * MS,
        names=names,
        stacks=stacks,
        load=ThreadTimes(threads=1),
        others=ThreadTimes(),
        listed=True,
        delays=False,
        every=10,
    )
    found = _groups(profile, MeasuredLoad(1.0, "threads", {"tps": 1.0}))
    assert found == pytest.approx({"row-locks": 890_000.0, "commit": 110_000.0, "unnamed": 0.0}, abs=1e-6)


@pytest.mark.parametrize(
    ("lags", "group"), [(True, "purge-lag"), (False, "redo-space"), (None, "redo-space")]
)
def test_a_sleep_before_a_change_is_what_the_server_says(lags: bool | None, group: str) -> None:
    profile = SwitchProfile(
        flavour="mariadb",
        window_ns=1000 * MS,
        names=["start_thread", "hrtimer_nanosleep", "[m]", "handler::ha_update_row"],
        stacks=[WaitStack(True, [1, 2, 3, 0], 7, 10, 1000 * MS)],
        load=ThreadTimes(threads=1),
        others=ThreadTimes(),
        listed=True,
        delays=False,
        purge_lags=lags,
    )
    found = _groups(profile, MeasuredLoad(1.0, "threads", {"tps": 1.0}))
    assert found == pytest.approx({group: 1_000_000.0, "unnamed": 0.0}, abs=1e-6)


def test_an_open_loop_has_a_queue_and_no_idle_connections() -> None:
    text = "".join(
        _switch(1, at, "SWITCH IN")
        + _switch(
            1, at + 20, "leave", "schedule", "do_fsync", "ha_commit_trans", "do_command", "start_thread"
        )
        + _switch(1, at + 20, "SWITCH OUT")
        + _switch(1, at + 50, "SWITCH IN")
        + _switch(1, at + 50, "leave", *_CLIENT)
        + _switch(1, at + 50, "SWITCH OUT")
        for at in (0, 100)
    ) + _switch(1, 200, "SWITCH IN")
    measured = MeasuredLoad(10.0, "rate", {"tps": 10.0, "mean_ms": 80.0})
    found = _groups(_profile(text, "mariadb", load={1: ""}), measured, OpenLoop(20_000, 60_000))
    assert found == pytest.approx(
        {"on-cpu": 20_000.0, "commit": 30_000.0, "queue": 20_000.0, "client": 10_000.0, "unnamed": 0.0},
        abs=1.0,
    )


def test_records_are_read_whatever_a_thread_is_called() -> None:
    text = "my 1/2 3.000000000: x 7/9 24915.084159001: PERF_RECORD_SWITCH IN   \n"
    assert list(switch_records([text], FrameNames())) == [SwitchedIn(9, 24_915_084_159_001)]
