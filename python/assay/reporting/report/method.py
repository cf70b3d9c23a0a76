"""Writes the report's paragraphs on how the study was measured.

They hold the definitions that a reader needs to judge the numbers.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from datetime import UTC, datetime

from assay.base.numbers import duration, number
from assay.design.study import kind_of
from assay.reporting.report import imported
from assay.reporting.report.material import MAIN, Material
from assay.reporting.report.records.runs import tools
from assay.reporting.report.summary import on_running
from assay.results.stats import around


def paragraphs(material: Material) -> list[str]:
    """Returns one paragraph for each decision: blocks, load, warm-up, window, words, comparison."""
    words, study = material.words, material.study
    if study.is_imported:
        return imported.method(material)
    load, region = study.load, around(1.0, study.verdict.known_margin)
    said = [
        words(
            f"method.blocks{on_running(study)}",
            blocks=material.results.blocks_planned,
            order=words(f"method.{study.design.order}"),
            seed=again(material).seed,
        ),
        *_loads(material),
        *_dynamic(material),
        *_host(material),
        *_volume(material),
        words("method.closed")
        if material.closed_loop
        else words("method.open", arrivals=kind_of(load.arrivals)),
        words(f"method.warmup-{load.warmup.kind}", seconds=duration(load.warmup.seconds)),
        words("method.window", seconds=duration(load.measure_s)),
        words("method.definitions"),
        words("method.percentiles"),
        words("method.comparison", region=f"{number(region.low, 4)} – {number(region.high, 4)}"),
    ]
    if material.results.blocks_planned < material.results.gate.fewest:
        said.append(words("method.estimate"))
    return said


def _loads(material: Material) -> list[str]:
    """Returns a sentence on several loads of the data where comparisons rest on them."""
    most = max((one.loads or 0 for one in material.results.comparisons), default=0)
    return [material.words("method.loads", loads=most)] if most else []


def _dynamic(material: Material) -> list[str]:
    """Returns sentences on variables that were set while servers ran, which can differ from setting them at
    the start.
    """
    study, prefix = material.study, "server.dynamic."
    names = [
        *study.server.dynamic,
        *(key.removeprefix(prefix) for key in study.varied if key.startswith(prefix)),
    ]
    if not names:
        return []
    key = f"method.dynamic{on_running(study)}"
    return [material.words(key, names=material.words.listed(dict.fromkeys(names)))]


def _host(material: Material) -> list[str]:
    """Returns sentences on the host settings that the study changed, fixed and varied."""
    study, prefix = material.study, "host."
    varied = [key for key in study.varied if key.startswith(prefix)]
    names = [*(f"{prefix}{name}" for name in study.host), *varied]
    return [material.words("method.host", names=material.words.listed(names))] if names else []


def _volume(material: Material) -> list[str]:
    """Returns sentences on data that lay on loop devices, and on the study's settings of these."""
    study, prefix = material.study, "volume."
    varied = [key for key in study.varied if key.startswith(prefix)]
    names = [*(f"{prefix}{name}" for name in study.volume), *varied]
    return [material.words("method.volume", names=material.words.listed(names))] if names else []


@dataclass(frozen=True)
class Again:
    """The data needed to run the study again."""

    command: str
    seed: int
    study_hash: str
    begun: str
    versions: str
    study_text: str


def again(material: Material) -> Again:
    """Returns the study file as it was given, its hash, the seed, and the versions that ran, from the
    store.
    """
    (who,) = material.rows(f"SELECT * FROM {MAIN}.study")
    return Again(
        command=shlex.join(["assay", "run", "study.toml", "--seed", str(who["seed"])]),
        seed=who["seed"],
        study_hash=who["hash"],
        begun=f"{datetime.fromtimestamp(who['created_ns'] / 1e9, UTC):%Y-%m-%d %H:%M UTC}",
        versions=", ".join(tools(material)) or f"assay {who['assay']}",
        study_text=who["text"],
    )
