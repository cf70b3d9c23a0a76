"""The source `stacks`: call stacks of the server, sampled on the processor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

from assay.base.errors import AssayError, HostError
from assay.design.folder import ProfileSource, SampledStack, StackProfile, ThreadName, write_packed
from assay.measurement.run.profile.watcher import Stage, Watched
from assay.system.host.perf import (
    KERNEL,
    FunctionNames,
    PerfData,
    StackRecording,
    begins_threads,
    started_recording,
)

_LONGEST_S = 700.0
"""A recording by perf ends by itself then, whatever becomes of the lab: longer than the longest window."""
_READ_TIMEOUT_S = 5.0
_LONGER = "give the window more time, by profile_s under [load]: on a busy machine perf begins late"
_CUT_SHARE = 0.05
_CUT = "some call stacks end before the function in which their thread began: who called them is not known"
_UNCOPIED = (
    "copies of stacks took all the memory that they may: callers of libraries are not known in the samples"
    " after that; fewer samples (profile_hz) or a shorter window (profile_s) under [load] keep them all"
)
_BEGINS = "_start"
_THREADS = "SELECT thread_os_id, name FROM performance_schema.threads WHERE thread_os_id IS NOT NULL"


class Stacks:
    """Records samples with perf; names of threads come from performance_schema where it is on, else from the
    kernel.
    """

    source = "stacks"
    stage: Stage = "main"

    def __init__(self) -> None:
        self._recording: StackRecording | None = None
        self._threads: dict[int, str] = {}
        self._period_ns = 0

    def prepare(self, watched: Watched) -> None:
        self._period_ns = round(1e9 / watched.hz)
        self._watched = watched
        file = watched.folder.path / "perf.data"
        self._recording = started_recording(watched.process(), file, self._period_ns, _LONGEST_S)

    def abandon(self) -> None:
        if self._recording is not None:
            self._recording.kill()

    def begin(self, watched: Watched) -> None:
        assert self._recording is not None, "prepared"
        self._recording.begin()

    def end(self) -> None:
        assert self._recording is not None, "begun"
        self._threads = _named_threads(self._watched)
        self._recording.end()

    def read(self, watched: Watched) -> ProfileSource:
        assert self._recording is not None, "begun"
        lacking = self._recording.lacking
        roots = (Path(f"/proc/{watched.process()}/root"), Path("/"))
        data = self._recording.data(roots)
        names = FunctionNames(data.mapped, roots)
        profile = _profile(data, names, self._threads, self._period_ns, kernel=lacking is None)
        notes = list(names.notes)
        if lacking is not None:
            notes.append(
                f"functions of the kernel are not seen: a profile of the kernel {lacking};"
                f" {lacking.privilege.otherwise}"
            )
        if self._recording.by_thread:
            notes.append(
                "the server's threads were sampled one by one, which costs it time at every context switch:"
                " `sysctl kernel.perf_event_paranoid=0` as root lets Assay sample processors"
            )
        if not profile.samples:
            raise HostError("perf recorded no sample of the server", hint=_LONGER)
        if data.uncopied:
            notes.append(_UNCOPIED)
        cut = _cut_samples(profile)
        if cut > _CUT_SHARE * profile.samples:
            notes.append(_CUT)
        size = write_packed(watched.folder, self.source, profile)
        read = {
            "samples": profile.samples,
            "lost": profile.lost,
            "cut": cut,
            "uncopied": data.uncopied,
            "stacks": len(profile.stacks),
            "bytes": size,
        }
        return ProfileSource(read={name: float(count) for name, count in read.items()}, notes=notes)


def _named_threads(watched: Watched) -> dict[int, str]:
    """Returns the names of the server's threads by their ids in the kernel."""
    found: dict[int, str] = {}
    for task in Path(f"/proc/{watched.pid}/task").glob("[0-9]*"):
        with suppress(OSError):
            found[int(task.name)] = (task / "comm").read_text().strip()
    with suppress(AssayError), closing(watched.server.connect(read_timeout_s=_READ_TIMEOUT_S)) as connection:
        found.update({int(str(tid)): str(name) for tid, name in connection.rows(_THREADS, columns=2)})
    return found


def _profile(
    data: PerfData, names: FunctionNames, threads: Mapping[int, str], period_ns: int, *, kernel: bool
) -> StackProfile:
    """Returns the samples with names in place of addresses and threads."""
    known = {**data.names, **threads}
    counted: Counter[tuple[str, tuple[int, ...]]] = Counter()
    for (tid, (inside, outside)), count in data.samples.items():
        counted[known.get(tid, ""), names.stack(inside, outside)] += count
    numbers = Counter(known.get(tid, "") for tid in {tid for tid, _ in data.samples})
    order = sorted(numbers)
    places = {name: place for place, name in enumerate(order)}
    return StackProfile(
        period_ns=period_ns,
        threads=[ThreadName(name, numbers[name]) for name in order],
        objects=names.objects,
        functions=names.functions,
        stacks=[
            SampledStack(places[name], list(stack), count)
            for (name, stack), count in sorted(counted.items(), key=lambda one: (-one[1], one[0]))
        ],
        lost=data.lost,
        kernel=kernel,
    )


def _cut_samples(profile: StackProfile) -> int:
    """Returns the samples whose stack does not reach the function that began its thread."""
    found = 0
    for one in profile.stacks:
        if not one.functions:
            continue
        root = profile.functions[one.functions[-1]]
        if root.object >= 0 and (root.name == _BEGINS or begins_threads(profile.objects[root.object].name)):
            continue
        found += one.samples if root.object != KERNEL else 0
    return found
