"""Reads from results folders what each build of a server did, block by block, without invalid values."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from assay.design.study import SERVER, Choice, Conditions, Study, configuration_text, fixed_hash
from assay.experiments.lab import Judged, figures_of, noise_around, results_folder
from assay.measurement.calibration import Noise
from assay.results.verdict import MeasuredRun, levels_of, measured_runs

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


_OF_BUILD = frozenset({"server", "server_version", "server_sha256"})
OF_BLOCKS = Choice(frozenset({"workload", "configuration", "study", "host", "load"}), studied=_OF_BUILD)
"""What builds share that ran in the same blocks."""
OF_RATIOS = replace(OF_BLOCKS, forbids=OF_BLOCKS.forbids | {"server_flavour"})
"""What ratios of one series share: within the same blocks they do not depend on the engine."""
OF_LEVELS = replace(OF_RATIOS, forbids=OF_RATIOS.forbids | {"engine"})
"""What levels of one series share."""


@dataclass(frozen=True)
class Cell:
    """The values of one measure of one build at one rung, in one results folder, by block."""

    folder: str
    where: Conditions
    build: Build
    use: str
    started_ns: int  # of its first run
    measure: str
    unit: str
    blocks: Mapping[int, float]
    noise: tuple[Noise, ...] = ()  # of equal copies that ran as it did, with any build of the flavour


def read_cells(path: Path, measures: Collection[str]) -> Iterator[Cell]:
    """Yields the cells of one results folder; none for a study of storage, which has no build.

    Raises InputError when a file of it cannot be read. A value of zero or less is left out, since it has no
    place on a scale of ratios.
    """
    with figures_of(results_folder(path)) as found:
        if found.study.subject == SERVER:
            yield from _cells(str(path), found, measures)


def _cells(folder: str, found: Judged, measures: Collection[str]) -> Iterator[Cell]:
    study, levels = found.study, levels_of(found.store)
    ran = {
        (one.treatment, one.block): one for one in measured_runs(found.store) if one.conditions.server_version
    }
    fixed = fixed_hash(study, [one.name for one in study.factors])[:12]
    kept = noise_around(study)
    for one in found.results.estimates:
        if one.measure not in measures:
            continue
        by_build: dict[Build, dict[int, float]] = defaultdict(dict)
        for block, value in one.blocks:
            if value > 0 and (one.treatment, block) in ran:
                by_build[_build(ran[one.treatment, block])][block] = value
        settings = _by_build(study, levels[one.treatment])
        others = {name: level for name, level in settings.items() if name != USE}
        configuration = configuration_text(study, others)
        for build, blocks in by_build.items():
            first = min((ran[one.treatment, block] for block in blocks), key=lambda run: run.started_ns or 0)
            where = replace(
                first.conditions,
                configuration=configuration,
                study=f"{fixed}-{configuration}",
                load_kind=study.load.kind,
                load=one.load,
                levels=tuple(sorted(others.items())),
            )
            yield Cell(
                folder=folder,
                where=where,
                build=build,
                use=settings.get(USE, study.server.use),
                started_ns=first.started_ns or 0,
                measure=one.measure,
                unit=one.unit,
                blocks=blocks,
                noise=kept(one.treatment, where, one.measure),
            )


def _build(run: MeasuredRun) -> Build:
    known = run.conditions
    return Build(known.server_flavour or "server", known.server_version, known.server_sha256 or None)


def _by_build(study: Study, levels: Mapping[str, str]) -> dict[str, str]:
    """Returns the levels of a treatment; of a factor that sets the build and other keys, each key's value."""
    found = dict(levels)
    for factor in study.factors:
        if USE in factor.varied and factor.name in found:
            found |= factor.settings_text(found.pop(factor.name))
    return found
