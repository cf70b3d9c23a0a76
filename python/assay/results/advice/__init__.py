"""Derives settings from what was measured, or from a formula, each with its reason."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.results.advice.calculators import CALCULATORS
    from assay.results.advice.calculators.calculator import Answer, Calculator, Input
    from assay.results.advice.cells import read_cells
    from assay.results.advice.disk import Advice, advise
    from assay.results.advice.durability import RISKS, WITHHELD, Durability, Risk, durability, risks
    from assay.results.advice.server import Finding, ServerAdvice, SettingConclusion, Source, combined
    from assay.results.advice.settings import Choice, Effect, TriedFactor, TriedLevel, choose
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "CALCULATORS",
    "RISKS",
    "WITHHELD",
    "Advice",
    "Answer",
    "Calculator",
    "Choice",
    "Durability",
    "Effect",
    "Finding",
    "Input",
    "Risk",
    "ServerAdvice",
    "SettingConclusion",
    "Source",
    "TriedFactor",
    "TriedLevel",
    "advise",
    "choose",
    "combined",
    "durability",
    "read_cells",
    "risks",
]
