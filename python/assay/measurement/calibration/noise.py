"""Keeps how much single runs vary, as found by equal copies of a treatment, for plans and margins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from assay.base.decoding import why_unreadable
from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.base.locks import locked
from assay.design.study import Choice, Conditions, host_class_of
from assay.measurement.calibration.record import cpu_model, processors
from assay.system.server import home

FORMAT = 1
MOST_KEPT = 2000
"""Most figures that are kept; the oldest are removed first."""


class NoiseSetting(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions in which noise was measured, as the file has them."""

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
    def conditions(self) -> Conditions:
        """The conditions in which the spread was measured."""
        return noise_conditions(self.setting, self.load_kind, self.load)


ALIKE = frozenset({"host", "workload", "regime", "window_s", "load"})
NOISE_OF_BUILD = Choice(forbids=ALIKE | {"server"})
"""Other conditions have other noise; data, tools and the canary hardly matter to it."""
NOISE_OF_FLAVOUR = Choice(forbids=ALIKE | {"server_flavour"}, studied=frozenset({"server"}))


def noise_conditions(setting: NoiseSetting, load_kind: str, load: float) -> Conditions:
    """Returns the conditions of noise in a setting at a load point."""
    return Conditions(
        host=setting.host,
        server=setting.server,
        server_flavour=setting.server.partition(" ")[0].casefold(),
        workload=setting.workload,
        regime=setting.regime,
        window_s=setting.window_s,
        load_kind=load_kind,
        load=load,
    )


class _File(msgspec.Struct, frozen=True, kw_only=True):
    format: int = FORMAT
    kept: tuple[Noise, ...] = ()  # the newest last


def keep_noise(found: Iterable[Noise]) -> Path:
    """Keeps these figures; each replaces an older one of the same setting, load and measure."""
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_name(".noise.lock")):
        kept = _by_conditions(_read(path))
        for one in found:
            kept.pop(_place(one), None)
            kept[_place(one)] = one
        file = _File(kept=tuple(kept.values())[-MOST_KEPT:])
        write_whole(path, msgspec.json.format(msgspec.json.encode(file)))
    return path


def noise_of(setting: NoiseSetting, load_kind: str, loads: Sequence[float], measure: str) -> list[Noise]:
    """Returns the kept noise of a measure at these load points, in their order; points without any are left
    out.

    Raises InputError when the file cannot be read.
    """
    kept = _by_conditions(_read(_path()))
    wanted = (noise_conditions(setting, load_kind, load).only(NOISE_OF_BUILD) for load in loads)
    return [kept[one, measure] for one in wanted if (one, measure) in kept]


def kept_noise() -> tuple[Noise, ...]:
    """Returns all noise that is kept, the newest last. Raises InputError when the file cannot be read."""
    return _read(_path())


def noise_state() -> str:
    """Returns a text that changes when the noise that is kept does."""
    try:
        found = _path().stat()
    except OSError:
        return ""
    return f"{found.st_mtime_ns} {found.st_ino} {found.st_size}"


def host_class() -> str:
    """Returns the class of this machine, as `host_class_of` names it."""
    from assay.system.host import host_facts

    memory = host_facts([])["memory"]
    assert isinstance(memory, dict)
    return host_class_of(cpu_model(), processors(), memory.get("total_bytes"))


def _by_conditions(kept: Iterable[Noise]) -> dict[tuple[Conditions, str], Noise]:
    return {_place(one): one for one in kept}


def _place(one: Noise) -> tuple[Conditions, str]:
    return one.conditions.only(NOISE_OF_BUILD), one.measure


def _path() -> Path:
    return home() / "noise.json"


def _read(path: Path) -> tuple[Noise, ...]:
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} cannot be read: {why_unreadable(error)}",
            hint="remove it, and measure again with assay aa STUDY",
        ) from error
    if file.format != FORMAT:
        raise InputError(
            f"{path} has format {file.format}, this assay reads {FORMAT}",
            hint="update assay, or remove it and measure again with assay aa STUDY",
        )
    return file.kept
