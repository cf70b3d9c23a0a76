"""Advises settings: of InnoDB by a measured disk, of a server by what a study found of its variables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.advice import Advice, Choice, Effect, TriedFactor, TriedLevel, advise, choose, fragment, read_cells
from assay.errors import AssayError, InputError
from assay.folder import ResultsFolder
from assay.lab.judging import judged, store_of
from assay.server import Build, find_build
from assay.server.variables import option_text, settings
from assay.study import Factor, Scalar, Study, level_text, load_measured
from assay.verdict import Comparison, Place, Results
from assay.wording import counted

_VARIABLE = "server.variables."


def is_of_storage(folder: ResultsFolder) -> bool:
    """Returns whether the results are those of a study of files or disks."""
    return load_measured(folder.study_file).subject.kind == "storage"


def disk_advice(folder: ResultsFolder, page_bytes: int) -> Mapping[str, Sequence[Advice]]:
    """Returns, for each disk, the settings of InnoDB that follow from what a study of storage measured there.

    Raises InputError when no run of one kind of load on files is finished.
    """
    with store_of(folder) as store:
        cells = read_cells(store)
    if not cells:
        raise InputError(
            f"{folder.path}: contains no finished run of a load on files",
            hint="run one first, as studies/storage/five-jobs.toml;"
            " jobs that run side by side must have the same options",
        )
    return advise(cells, page_bytes)


@dataclass(frozen=True)
class SettingsAdvice:
    """The settings that a study advises for the server of its baseline; `fragment` is text for my.cnf."""

    study: str
    flavour: str
    version: str
    blocks: int
    choices: tuple[Choice, ...]
    fragment: str


def settings_advice(folder: ResultsFolder) -> SettingsAdvice:
    """Returns the settings of the server that the comparisons of a study advise.

    A level of a variable is compared with the first level while all other factors are at their first levels;
    in a screen, over all treatments.
    Raises InputError when the study varies no variable of a server, or has no complete block.
    """
    with judged(folder) as found:
        results, study = found.results, found.study
        factors = [one for one in study.factors if all(key.startswith(_VARIABLE) for key in one.varied)]
        if not factors or not results.comparisons:
            what = "has no complete block" if factors else "varies no variable of a server"
            raise InputError(
                f"{folder.path}: the study {what}",
                hint="give results of a study with a factor such as server.variables.innodb_purge_threads, or"
                " of a study of storage",
            )
        rows = found.store.execute("SELECT treatment, factor, level FROM levels").fetchall()
        server = found.store.execute(
            "SELECT server_flavour, server_version FROM runs WHERE server_version IS NOT NULL"
            " ORDER BY treatment = ? DESC, block, position LIMIT 1",
            [results.treatments[0]],
        ).fetchall()
    flavour, version = map(str, server[0]) if server else ("mysql", "of unknown version")
    levels: dict[str, dict[str, str]] = defaultdict(dict)
    for treatment, factor, level in rows:
        levels[treatment][factor] = level
    build = _build_here(flavour, version)
    choices = tuple(choose(_tried(factor, study, build, results, levels)) for factor in factors)
    head = [
        f"{flavour} {version}; study {study.name}, {counted(results.blocks_complete, 'block')}",
        "Each ratio is to the value in the study's baseline, with its interval.",
    ]
    if build is None:
        head.append("Names are those of the study: this machine lacks the server, which may have others.")
    text = fragment("mariadbd" if flavour == "mariadb" else "mysqld", head, choices)
    return SettingsAdvice(study.name, flavour, version, results.blocks_complete, choices, text)


def _build_here(flavour: str, version: str) -> Build | None:
    """Returns the build that was measured, if this machine has one of its version."""
    number = re.match(r"\d+(\.\d+)*", version)
    try:
        found = find_build(f"{flavour}@{number[0]}") if number else None
    except AssayError:
        return None
    return found


def _tried(
    factor: Factor,
    study: Study,
    build: Build | None,
    results: Results,
    levels: Mapping[str, Mapping[str, str]],
) -> TriedFactor:
    """Returns a factor with the comparisons of each level with the baseline."""

    def effects(text: str) -> tuple[Effect, ...]:
        return tuple(
            Effect(
                measure=one.measure,
                at=Place(one.other, one.load, results.load_kind).at,
                ratio=one.ratio,
                low=one.low,
                high=one.high,
                word=one.word,
            )
            for one in _comparisons(factor, text, results, levels)
        )

    def told(level: Scalar) -> dict[str, str]:
        own = {key.removeprefix(_VARIABLE): value for key, value in factor.settings(level).items()}
        if build is None:
            return {name: level_text(value) for name, value in own.items()}
        translated = settings(build, {**study.server.variables, **own})
        return {one.name: option_text(one.value) for one in translated if one.said in own}

    tried = tuple(TriedLevel(told(level), effects(level_text(level))) for level in factor.levels)
    return TriedFactor(factor.short_name, tried)


def _comparisons(
    factor: Factor, text: str, results: Results, levels: Mapping[str, Mapping[str, str]]
) -> list[Comparison]:
    """Returns a level's comparisons: in a screen over all treatments, otherwise beside the baseline."""
    if results.screening is not None:
        effects = results.screening.effects
        return [one.comparison for one in effects if (one.factor, one.level) == (factor.short_name, text)]
    baseline = results.treatments[0]
    wanted = {**levels[baseline], factor.name: text}
    return [one for one in results.comparisons if one.baseline == baseline and levels[one.other] == wanted]
