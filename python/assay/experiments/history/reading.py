"""Reads from results folders what each build of a server did, block by block, without invalid values."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import duckdb

from assay.base.wording import counted
from assay.design.study import SERVER, Design, LoadKind, Study, short_name, study_hash
from assay.experiments.lab import Judged, NoisePlace, figures_of, noise_around, results_folder
from assay.measurement.calibration import Noise, host_class_of

USE = "server.use"


@dataclass(frozen=True)
class Build:
    """One build of a server. Builds with one version differ in `sha256`, of the binary."""

    flavour: str
    version: str
    sha256: str | None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The version's numbers, to order by: (10, 11, 9) comes before (10, 11, 14)."""
        found = re.match(r"\d+(\.\d+)*", self.version)
        return tuple(map(int, found[0].split("."))) if found else ()

    def __str__(self) -> str:
        return f"{self.flavour} {self.version}"

    def is_named(self, name: str, use: str) -> bool:
        """Returns whether `name` means this build: as the study's `server.use`, or as `flavour@version`."""
        flavour, _, version = name.partition("@")
        wanted = tuple(map(int, version.split("."))) if re.fullmatch(r"\d+(\.\d+)*", version) else ()
        by_version = bool(wanted) and flavour == self.flavour and self.numbers[: len(wanted)] == wanted
        return name == use or by_version


@dataclass(frozen=True)
class Where:
    """What identifies a series besides its measure: values that differ in it are never compared."""

    workload: str
    configuration: str  # "innodb_purge_threads=4": the treatment without the build; "default"
    configuration_id: str  # of all that the study sets, but for the build
    host: str  # the class of the host: processors and memory
    load_kind: LoadKind
    load: float
    levels: tuple[tuple[str, str], ...] = ()  # the configuration's, by the full names of factors

    @property
    def load_text(self) -> str:
        """The load in words: `64 threads`, `500/s`."""
        return f"{self.load:g}/s" if self.load_kind == "rate" else counted(int(self.load), "thread")


@dataclass(frozen=True)
class Cell:
    """The values of one measure of one build at one rung, in one results folder, by block."""

    folder: str
    where: Where
    build: Build
    use: str
    started_ns: int  # of its first run
    engine: str  # the version that measured
    measure: str
    unit: str
    blocks: Mapping[int, float]
    noise: tuple[Noise, ...] = ()  # of equal copies that ran as it did, with any build of the flavour


class _Ran(NamedTuple):
    """The build, workload, host, start and engine of a treatment in a block."""

    build: Build
    workload: str
    host: str
    started_ns: int
    engine: str


def read_cells(path: Path, measures: Collection[str]) -> Iterator[Cell]:
    """Yields the cells of one results folder; none for a study of storage, which has no build.

    Raises InputError when a file of it cannot be read. A value of zero or less is left out, since it has no
    place on a scale of ratios.
    """
    with figures_of(results_folder(path)) as found:
        if found.study.subject == SERVER:
            yield from _cells(str(path), found, measures)


def _cells(folder: str, found: Judged, measures: Collection[str]) -> Iterator[Cell]:
    study, ran, levels = found.study, _ran(found.store), _levels(found.store)
    identity = _identity(study)
    kept = noise_around(study)
    for one in found.results.estimates:
        if one.measure not in measures:
            continue
        by_build: dict[Build, dict[int, float]] = defaultdict(dict)
        for block, value in one.blocks:
            if value > 0 and (one.treatment, block) in ran:
                by_build[ran[one.treatment, block].build][block] = value
        settings = _by_build(study, levels.get(one.treatment, {}))
        others = {name: level for name, level in settings.items() if name != USE}
        for build, blocks in by_build.items():
            first = min((ran[one.treatment, block] for block in blocks), key=lambda run: run.started_ns)
            where = Where(
                workload=first.workload,
                configuration=_shown(study, others),
                configuration_id=f"{identity}-{_shown(study, others)}",
                host=first.host,
                load_kind=study.load.kind,
                load=one.load,
                levels=tuple(sorted(others.items())),
            )
            use = settings.get(USE, study.server.use)
            place = (one.treatment, build.flavour, where.host, where.workload, where.load, one.measure)
            noise = kept(NoisePlace(*place))
            yield Cell(
                folder,
                where,
                build,
                use,
                first.started_ns,
                first.engine,
                one.measure,
                one.unit,
                blocks,
                noise,
            )


def _by_build(study: Study, levels: Mapping[str, str]) -> dict[str, str]:
    """Returns the levels of a treatment; of a factor that sets the build and other keys, each key's value."""
    found = dict(levels)
    for factor in study.factors:
        if USE in factor.varied and factor.name in found:
            found |= factor.settings_text(found.pop(factor.name))
    return found


def _identity(study: Study) -> str:
    """Returns a hash of everything that the study sets, except the builds, what it varies and how often."""
    fixed = study.server.model_copy(update={"use": ""})
    return study_hash(study.model_copy(update={"server": fixed, "factors": (), "design": Design()}))[:12]


def _shown(study: Study, levels: Mapping[str, str]) -> str:
    """Returns the levels by short names, in the study's order; `default` where it varies nothing but
    builds.
    """
    names = [name for one in study.factors for name in (one.name, *one.keys) if name in levels]
    named = [f"{short_name(name)}={levels[name]}" for name in names]
    return ", ".join(named) or "default"


def _ran(store: duckdb.DuckDBPyConnection) -> dict[tuple[str, int], _Ran]:
    facts: dict[str, dict[str, str]] = defaultdict(dict)
    for run, key, value in store.execute(
        "SELECT run_id, key, value FROM facts WHERE scope = 'host' AND moment = 'before'"
        " AND key IN ('cpu.logical', 'memory.total_bytes')"
    ).fetchall():
        facts[run][key] = value
    found = {}
    for row in store.execute(
        "SELECT run_id, treatment, block, server_flavour, server_version, server_sha256, workload, processor,"
        " started_ns, engine FROM runs WHERE status = 'complete' AND server_version IS NOT NULL"
    ).fetchall():
        run, treatment, block, flavour, version, sha256, workload, processor, started, engine = row
        build = Build(flavour or "server", version, sha256)
        host = host_class_of(processor, facts[run].get("cpu.logical"), facts[run].get("memory.total_bytes"))
        found[treatment, block] = _Ran(build, workload, host, started, engine or "")
    return found


def _levels(store: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for treatment, factor, level in store.execute("SELECT treatment, factor, level FROM levels").fetchall():
        found[treatment][factor] = level
    return found
