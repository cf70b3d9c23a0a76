"""Keeps how much single runs vary, as found by equal copies of a treatment, for plans and margins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.base.locks import locked
from assay.measurement.calibration.record import cpu_model, processors
from assay.system.server import home

_GIB = 1 << 30
FORMAT = 1
MOST_KEPT = 2000
"""Most figures that are kept; the oldest are removed first."""


class NoiseSetting(msgspec.Struct, frozen=True, kw_only=True):
    """The setting in which noise was measured; another setting has other noise."""

    host: str  # class of the machine: processors and memory
    server: str  # "MariaDB 10.11.14"; empty for a load on files
    workload: str
    regime: str  # buffer pool against data: "pool 1/4 of data", "pool holds data"; empty without tables
    window_s: float  # a short window has more


class Noise(msgspec.Struct, frozen=True, kw_only=True):
    """The spread of one measure at one load point."""

    setting: NoiseSetting
    load_kind: str
    load: float
    measure: str
    log_sd: float  # standard deviation of the logarithm of one run
    degrees: int  # of freedom
    blocks: int
    measured_wall_ns: int

    @property
    def place(self) -> tuple[NoiseSetting, str, float, str]:
        return self.setting, self.load_kind, self.load, self.measure


class _File(msgspec.Struct, frozen=True, kw_only=True):
    format: int = FORMAT
    kept: tuple[Noise, ...] = ()  # the newest last


def keep_noise(found: Iterable[Noise]) -> Path:
    """Keeps these figures; each replaces an older one of the same setting, load and measure."""
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_name(".noise.lock")):
        kept = {one.place: one for one in _read(path)}
        for one in found:
            kept.pop(one.place, None)
            kept[one.place] = one
        file = _File(kept=tuple(kept.values())[-MOST_KEPT:])
        write_whole(path, msgspec.json.format(msgspec.json.encode(file)))
    return path


def noise_of(setting: NoiseSetting, load_kind: str, loads: Sequence[float], measure: str) -> list[Noise]:
    """Returns the kept noise of a measure at these load points, in their order; points without any are left
    out.

    Raises InputError when the file cannot be read.
    """
    kept = {one.place: one for one in _read(_path())}
    places = ((setting, load_kind, load, measure) for load in loads)
    return [kept[place] for place in places if place in kept]


def kept_noise() -> tuple[Noise, ...]:
    """Returns all noise that is kept, the newest last. Raises InputError when the file cannot be read."""
    return _read(_path())


def host_class() -> str:
    """Returns the class of this machine, as `host_class_of` names it."""
    from assay.system.host import host_facts

    memory = host_facts([])["memory"]
    assert isinstance(memory, dict)
    return host_class_of(cpu_model(), processors(), memory.get("total_bytes"))


def host_class_of(processor: str | None, logical: int | str | None, memory_bytes: float | str | None) -> str:
    """Returns the name of the class of machines whose results vary alike: `16 x Xeon Gold 6130, 64 GiB`.

    `logical` is the number of processors online. What is unknown is named so, or left out.
    """
    size = f", {round(float(memory_bytes) / _GIB)} GiB" if memory_bytes else ""
    return f"{logical or '?'} x {processor or 'unknown processor'}{size}"


def _path() -> Path:
    return home() / "noise.json"


def _read(path: Path) -> tuple[Noise, ...]:
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} cannot be read: {error}", hint="remove it, and measure again with assay aa STUDY"
        ) from error
    if file.format != FORMAT:
        raise InputError(
            f"{path} has format {file.format}, this assay reads {FORMAT}",
            hint="update assay, or remove it and measure again with assay aa STUDY",
        )
    return file.kept
