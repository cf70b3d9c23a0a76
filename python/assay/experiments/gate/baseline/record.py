"""Types, reader and writer of a baseline file: JSON, meant for a repository."""

from __future__ import annotations

from pathlib import Path

import msgspec

from assay.base.decoding import json_as, why_unreadable
from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.base.inner_path import named_bytes
from assay.design.study import Choice, Conditions, Unlikeness, forbidding
from assay.results.stats import LogSummary

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

    @property
    def conditions(self) -> Conditions:
        """The conditions of a measurement, as far as an identity has them."""
        return Conditions(
            study=self.study,
            host=self.host,
            data=self.data or "",
            canary_us=self.canary_us,
            assay=self.assay,
            engine=self.engine,
        )

    def differing(self, other: Identity) -> str | None:
        """Returns the first difference to `other` that forbids comparing, in words; None without one."""
        found = forbidding(self.conditions, other.conditions, OF_BASELINES)
        return self._said(other, found[0]) if found else None

    def _said(self, other: Identity, one: Unlikeness) -> str:
        mine, its = self.canary_us, other.canary_us
        if one.name != "canary":
            name, left, right = _NAMES.get(one.name, one.name), _short(one.left), _short(one.right)
            return f"the {name} differs: {left} in the baseline, {right} here"
        if mine is None or its is None:
            return "the canary was sampled on one side alone"
        return (
            f"the canary differs by {its / mine - 1:+.0%}: the same work cost {mine:.0f} µs in the baseline,"
            f" {its:.0f} µs here"
        )


OF_BASELINES = Choice(
    forbids=frozenset({"study", "host", "data", "assay", "engine", "canary"}),
    studied=frozenset({"server_version", "server_sha256"}),
)
"""A baseline stands for a build that is not run again: all but the build must be as it was."""
_NAMES = {"assay": "version of assay", "engine": "version of the engine"}


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
        raise InputError(f"{file}: is not a baseline of assay: {why_unreadable(error)}") from error
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


def _short(text: str) -> str:
    return f"{text[:12]}…" if len(text) == 64 else text or "unknown"
