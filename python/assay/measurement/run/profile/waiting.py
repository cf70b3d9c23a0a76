"""The sources `schedstat` and `switches`: what the threads of a server's connections did, by the kernel."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec

from assay.base.errors import AssayError, HostError
from assay.design.folder import (
    ProfileSource,
    ScheduledThreads,
    SwitchProfile,
    write_packed,
)
from assay.measurement.run.profile.stages import TAIL_S
from assay.measurement.run.profile.watcher import Stage, Unprepared, Watched
from assay.system.host import throttling
from assay.system.host.perf import (
    FrameNames,
    Recorded,
    ScheduleReading,
    SwitchRecording,
    read_schedule,
    switch_profile,
)
from assay.system.server import connection_threads, purge_lags

_READ_TIMEOUT_S = 15.0
_RATE_S = 0.2
"""The rate of context switches is looked at for this long before a recording."""
_UNKNOWN_RATE = 20_000.0
"""Context switches in a second of a server about which the kernel does not say how many it makes."""
_NO_SCHEDSTAT = "the kernel has no schedstat of threads, or does not show it to this process"
_NO_THREADS = (
    "the server does not say which threads serve its connections: they are known by what they carry out"
)


class Schedstat(Unprepared):
    """Reads how long the load's threads ran and waited for a processor, as any user may for own servers."""

    source = "schedstat"
    stage: Stage = "main"

    def __init__(self) -> None:
        self._found: ScheduledThreads | None = None

    def begin(self, watched: Watched) -> None:
        self._pid = watched.process()
        self._load = _load_threads(watched)
        self._before = _schedule(self._pid)

    def end(self) -> None:
        after = _schedule(self._pid)
        grown = [one for tid, one in after.since(self._before).items() if tid in self._load]
        self._found = ScheduledThreads(
            window_ns=after.at_ns - self._before.at_ns,
            threads=len(grown),
            on_cpu_ns=sum(one.on_cpu_ns for one in grown),
            delayed_ns=sum(one.delayed_ns for one in grown),
        )

    def read(self, watched: Watched) -> ProfileSource:
        assert self._found is not None, "ended"
        if not self._load:
            return ProfileSource(missing=_NO_THREADS)
        write_packed(watched.folder, self.source, self._found)
        return ProfileSource(read={"threads": float(self._found.threads)})


class Switches(Unprepared):
    """Records every context switch of the server for some seconds, with call stacks."""

    source = "switches"
    stage: Stage = "tail"

    def __init__(self) -> None:
        self._recording: SwitchRecording | None = None
        self._notes: list[str] = []

    def begin(self, watched: Watched) -> None:
        self._pid = watched.process()
        self._load = _load_threads(watched)
        first = read_schedule(self._pid)
        time.sleep(_RATE_S)
        second = read_schedule(self._pid)
        times = sum(one.times for one in second.since(first).values())
        rate = times * 1e9 / max(1, second.at_ns - first.at_ns) if second.threads else _UNKNOWN_RATE
        self._recording = SwitchRecording(
            self._pid,
            watched.folder.path / "switches.data",
            rate=rate,
            threads=len(second.threads),
            longest_s=TAIL_S,
        )
        self._lags = _purge_lags(watched)
        self._watched = watched
        self._recording.begin()
        self._quota = throttling(self._pid)
        self._before = read_schedule(self._pid)

    def end(self) -> None:
        assert self._recording is not None, "begun"
        self._recording.end()
        self._after = read_schedule(self._pid)
        quota = throttling(self._pid)
        self._quota = None if quota is None or self._quota is None else quota.since(self._quota)
        self._lags = self._lags if self._lags is not None else _purge_lags(self._watched)

    def read(self, watched: Watched) -> ProfileSource:
        assert self._recording is not None, "begun"
        try:
            profile = self._profile(self._recording, watched.flavour)
        finally:
            self._recording.remove()
        if not profile.switches:
            raise HostError("the server has made no context switch that perf recorded")
        size = write_packed(watched.folder, self.source, profile)
        read = {
            "switches": profile.switches,
            "threads": profile.load.threads,
            "lost": profile.lost,
            "stacks": len(profile.stacks),
            "bytes": size,
        }
        if not profile.listed:
            self._notes.append(_NO_THREADS)
        if not profile.delays:
            self._notes.append(f"{_NO_SCHEDSTAT}: waits contain the wait for a processor after them")
        return ProfileSource(read={name: float(count) for name, count in read.items()}, notes=self._notes)

    def _profile(self, recording: SwitchRecording, flavour: str) -> SwitchProfile:
        names = FrameNames()
        recorded = Recorded(
            records=recording.records(names),
            names=names,
            begin_ns=recording.begin_ns,
            end_ns=recording.end_ns,
            every=recording.every,
            delays=self._delays(recording),
            load=self._load,
        )
        profile = switch_profile(recorded, flavour=flavour, quota=self._quota)
        return msgspec.structs.replace(profile, purge_lags=self._lags)

    def _delays(self, recording: SwitchRecording) -> Mapping[int, int] | None:
        """Returns each thread's wait for a processor while perf recorded; None where it cannot be read."""
        if not self._after.threads:
            return None
        share = (recording.end_ns - recording.begin_ns) / max(1, self._after.at_ns - self._before.at_ns)
        grown = self._after.since(self._before)
        return {tid: round(one.delayed_ns * min(1.0, share)) for tid, one in grown.items()}


def _load_threads(watched: Watched) -> dict[int, str]:
    """Returns the threads that serve the load's connections, with what each waits for; empty where the server
    does not say.
    """
    try:
        with closing(watched.server.connect(read_timeout_s=_READ_TIMEOUT_S)) as connection:
            found = connection_threads(connection)
    except AssayError:
        return {}
    tasks = Path(f"/proc/{watched.pid}/task")
    return {tid: wait for tid, wait in found.items() if (tasks / str(tid)).is_dir()}


def _purge_lags(watched: Watched) -> bool | None:
    """Returns whether statements are held back since purge lags; None where the server does not say."""
    try:
        with closing(watched.server.connect(read_timeout_s=_READ_TIMEOUT_S)) as connection:
            return purge_lags(connection)
    except AssayError:
        return None


def _schedule(pid: int) -> ScheduleReading:
    found = read_schedule(pid)
    if not found.threads:
        raise HostError(_NO_SCHEDSTAT)
    return found
