"""Derives settings from what was measured, or from a formula, each with its reason."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.results.advice.calculators import CALCULATORS
    from assay.results.advice.calculators.calculator import Answer, Calculator, Input
    from assay.results.advice.cells import read_cells
    from assay.results.advice.disk import Advice, advise
    from assay.results.advice.durability import RISKS, WITHHELD, Durability, Risk, durability, risks
    from assay.results.advice.fitness.durable import Durability as DiskDurability
    from assay.results.advice.fitness.fit import DiskJudged, Fitness, judge_disk
    from assay.results.advice.fitness.kind import IN_MEMORY, Classed
    from assay.results.advice.fitness.lines import lines_for
    from assay.results.advice.fitness.record import (
        COMMIT,
        PAGE,
        Course,
        Device,
        DiskDoubt,
        DiskLoad,
        DiskMeasured,
        Flushes,
        LoadMeasured,
        Place,
        TimesSeen,
        scaled,
    )
    from assay.results.advice.server import Finding, ServerAdvice, SettingConclusion, Source, combined
    from assay.results.advice.settings import Choice, Effect, TriedFactor, TriedLevel, choose
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "CALCULATORS",
    "COMMIT",
    "IN_MEMORY",
    "PAGE",
    "RISKS",
    "WITHHELD",
    "Advice",
    "Answer",
    "Calculator",
    "Choice",
    "Classed",
    "Course",
    "Device",
    "DiskDoubt",
    "DiskDurability",
    "DiskJudged",
    "DiskLoad",
    "DiskMeasured",
    "Durability",
    "Effect",
    "Finding",
    "Fitness",
    "Flushes",
    "Input",
    "LoadMeasured",
    "Place",
    "Risk",
    "ServerAdvice",
    "SettingConclusion",
    "Source",
    "TimesSeen",
    "TriedFactor",
    "TriedLevel",
    "advise",
    "choose",
    "combined",
    "durability",
    "judge_disk",
    "lines_for",
    "read_cells",
    "risks",
    "scaled",
]
