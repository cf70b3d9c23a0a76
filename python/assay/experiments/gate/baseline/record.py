"""Types, reader and writer of a baseline file: JSON, meant for a repository."""

from __future__ import annotations

from pathlib import Path

import msgspec

from assay.base.decoding import json_as
from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.base.inner_path import named_bytes
from assay.results.stats import LogSummary
from assay.results.verdict import is_far

FORMAT = 1
MOST_BYTES = 100_000


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What must agree before figures may be compared with a baseline."""

    study: str  # hash of everything that decides the runs, but for the build
    host: str  # class of the machine: processors and memory
    data: str | None = None  # of tables and files, the same for every build; None: not known
    canary_us: float | None  # processor time of the canary's fixed piece of work; None: not sampled
    assay: str  # version that measured
    engine: str

    def differing(self, other: Identity) -> str | None:
        """Returns the first field that differs from `other` in words; None where all agree."""
        names = {
            "study": "study",
            "host": "host",
            "data": "data",
            "assay": "version of assay",
            "engine": "version of the engine",
        }
        for field, name in names.items():
            mine, its = getattr(self, field), getattr(other, field)
            if mine != its:
                return f"the {name} differs: {_short(mine)} in the baseline, {_short(its)} here"
        if (self.canary_us is None) != (other.canary_us is None):
            return "the canary was sampled on one side alone"
        if self.canary_us and other.canary_us:
            moved = other.canary_us / self.canary_us - 1
            if is_far(self.canary_us, other.canary_us):
                return (
                    f"the canary differs by {moved:+.0%}: the same work cost {self.canary_us:.0f} µs in the"
                    f" baseline, {other.canary_us:.0f} µs here"
                )
        return None


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """One measure of one configuration at one load point, over blocks."""

    configuration: str  # "innodb_purge_threads=4"; "default" where nothing but the build varies
    load: float
    measure: str
    unit: str
    mean_log: float
    log_sd: float
    blocks: int

    @property
    def key(self) -> tuple[str, float, str]:
        return self.configuration, self.load, self.measure

    @property
    def summary(self) -> LogSummary:
        return LogSummary(self.mean_log, self.log_sd, self.blocks)


class KeptNoise(msgspec.Struct, frozen=True, kw_only=True):
    """The spread of single runs by equal copies, where `assay aa` had measured it on that machine."""

    configuration: str
    load: float
    measure: str
    log_sd: float


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """One acceptance of a baseline: when, of which servers, and why."""

    at: str  # "2026-11-24T06:30:00Z"
    servers: tuple[str, ...]
    reason: str


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """A baseline file. `accepted` has its history, the newest last."""

    format: int = FORMAT
    name: str  # of the study
    identity: Identity
    load_kind: str
    confidence: float
    series: tuple[Series, ...]
    noise: tuple[KeptNoise, ...] = ()
    accepted: tuple[Measured, ...]

    @property
    def date(self) -> str:
        """The day on which it was accepted last."""
        return self.accepted[-1].at[:10]


def read_baseline(file: Path) -> Baseline:
    """Returns a baseline. Raises InputError for a file that cannot be read, or is none."""
    try:
        found = json_as(named_bytes(file), Baseline)
    except OSError as error:
        raise InputError(
            f"{file}: cannot be read: {error.strerror}",
            hint=f"make it with assay baseline save RESULTS {file}",
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: is not a baseline of assay: {error}") from error
    if found.format != FORMAT:
        raise InputError(
            f"{file} has format {found.format}, this assay reads {FORMAT}",
            hint="update assay, or save it anew",
        )
    if not found.accepted:
        raise InputError(f"{file}: is not a baseline of assay: nobody has accepted it")
    return found


def write_baseline(file: Path, baseline: Baseline) -> None:
    """Writes a baseline. Raises InputError for one that is too large for a repository."""
    content = msgspec.json.format(msgspec.json.encode(baseline), indent=1) + b"\n"
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{file}: would have {len(content):,} bytes; a baseline has at most {MOST_BYTES:,}",
            hint="a study for a gate has few treatments and load points",
        )
    write_whole(file, content)


def _short(text: str | None) -> str:
    if text is None:
        return "unknown"
    return f"{text[:12]}…" if len(text) == 64 else text
