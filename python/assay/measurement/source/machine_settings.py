"""Checks the host settings and volumes that treatments ask for before any load, and applies them during a
run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from assay.base.errors import HostError
from assay.base.wording import sized
from assay.design.folder import Doubted, HostEntry, VolumeEntry
from assay.design.plan import Plan, Treatment
from assay.measurement.source.placement import data_parent, trial_data_parent, volume_spec
from assay.system.host import KNOBS, Knobs, Machine, mount_of, unavailable
from assay.system.host.volume import Volume, refusal
from assay.system.server import require_space

_VOLUME, _OF_DISKS = "[volume]", ("block.", "raid.")
_KNOBS_HINT = "`assay host knobs` lists the settings of this machine; remove the others from the study"
_AMPLE, _STEP = 1.05, 16 << 20
"""Factor and rounding (bytes) of a size that a message proposes.

A larger file system takes more for itself.
"""


def knobs_for(plan: Plan) -> AbstractContextManager[Knobs | None]:
    """Returns the right to change host settings, when a treatment asks for one. Raises ConflictError while
    another process has it.
    """
    return Knobs() if any(treatment.host for treatment in plan.treatments) else nullcontext()


def missing_here(treatment: Treatment) -> list[str]:
    """Returns a sentence for each setting or volume that a treatment asks for and this machine lacks. Makes
    nothing.

    Raises InputError when the settings of its volume contradict each other.
    """
    spec = volume_spec(treatment)
    if spec is None:
        return unavailable(treatment.host, data_parent(treatment))
    reason = refusal(Machine(), spec)
    # The disks under a volume are there when it is.
    known = {name: value for name, value in treatment.host.items() if not name.startswith(_OF_DISKS)}
    found = [] if reason is None else [f"{_VOLUME} cannot be made on this machine: {reason}"]
    return found + unavailable(known, data_parent(treatment))


def check_machine(treatments: Iterable[Treatment]) -> None:
    """Raises HostError when this machine lacks a setting or volume that a treatment asks for, and InputError
    for a volume whose settings contradict each other. Creates nothing.
    """
    for treatment in treatments:
        if (treatment.host or treatment.volume) and (found := missing_here(treatment)):
            hint = None if found[0].startswith(_VOLUME) else _KNOBS_HINT
            raise HostError(found[0], hint=hint, detail="\n".join(found[1:]) or None)


def try_machine(knobs: Knobs | None, needs: Iterable[tuple[Treatment, int]]) -> None:
    """Makes each volume and applies each set of settings once, reads them back and restores them, since only
    the kernel knows what it accepts. `needs`: the bytes that a run of each treatment puts where its data lie.

    Raises HostError with what this machine cannot provide and why, or with how large a volume must be.
    """
    asked: dict[str, tuple[Treatment, int]] = {}
    for treatment, need in needs:
        what = (data_parent(treatment), volume_spec(treatment), sorted(treatment.host.items()))
        if need > asked.get(str(what), (treatment, -1))[1]:
            asked[str(what)] = (treatment, need)
    short: dict[int, HostError] = {}
    for treatment, need in asked.values():
        spec = volume_spec(treatment)
        if spec is not None:
            require_space(data_parent(treatment), spec.bytes, "the volume of a run")
        with trial_data_parent(treatment) as (parent, volume):
            if volume is not None and need > volume.usable_bytes:
                short |= [_too_small(volume, need)]
            if treatment.host:
                assert knobs is not None
                with knobs.turned(treatment.host, parent):
                    pass
    if short:  # what is enough for the worst of them is enough for all
        raise short[max(short)]


def _too_small(volume: Volume, need: int) -> tuple[int, HostError]:
    """Returns the device size that a volume should have, and the error that says so."""
    spec = volume.spec
    wanted = -(-round(spec.device_bytes * need / max(volume.usable_bytes, 1 << 20) * _AMPLE) // _STEP) * _STEP
    return wanted, HostError(
        f"[volume]: {spec.file_system} with raid = {spec.raid} leaves {sized(volume.usable_bytes)} of"
        f" {sized(spec.raw_bytes)} usable; a run needs {sized(need)}",
        hint=f'set device_size = "{wanted >> 20}M" or larger, or use less data',
    )


def volume_entry(volume: Volume | None) -> VolumeEntry | None:
    """Returns the manifest's entry of a volume, which must be mounted."""
    if volume is None:
        return None
    spec, mount = volume.spec, mount_of(Machine(), volume.point)
    options = [] if mount is None else [*mount.options.split(","), *mount.super_options.split(",")]
    return VolumeEntry(
        file_system=spec.file_system,
        mount=",".join(dict.fromkeys(options)),
        raid=spec.raid,
        devices=spec.devices,
        device_bytes=spec.device_bytes,
        unallocated_pct=100 * spec.unallocated,
        page_cache=spec.page_cache,
        usable_bytes=volume.usable_bytes,
    )


@contextmanager
def in_force(knobs: Knobs | None, treatment: Treatment, data: Path) -> Iterator[list[HostEntry]]:
    """Applies the treatment's host settings for a server with its data at `data`, and yields what was
    changed, for the manifest.
    """
    if not treatment.host:
        yield []
        return
    assert knobs is not None
    with knobs.turned(treatment.host, data) as turned:
        yield [HostEntry(knob=one.knob, target=one.target, was=one.was, now=one.now) for one in turned]


def drifted(entries: Sequence[HostEntry]) -> list[Doubted]:
    """Returns a doubt for each host setting that no longer has, or cannot be shown to have, the value the run
    gave it.
    """
    doubts = []
    for entry in entries:
        try:
            now = KNOBS[entry.knob].show(Machine(), entry.target)
        except HostError as error:
            now = error.message
        if now != entry.now:
            message = f"host.{entry.knob} of {entry.target} changed from {entry.now} to {now} during the run"
            doubts.append(Doubted(kind="variable-drift", message=message))
    return doubts
