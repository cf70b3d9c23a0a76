"""Derives settings from what was measured, or from a formula, each with its reason."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.advice.calculators import CALCULATORS
    from assay.advice.calculators.calculator import Answer, Calculator, Input
    from assay.advice.cells import read_cells
    from assay.advice.disk import Advice, advise
    from assay.advice.durability import RISKS, WITHHELD, Durability, Risk, durability, risks
    from assay.advice.server import Finding, ServerAdvice, SettingConclusion, Source, combined
    from assay.advice.settings import Choice, Effect, TriedFactor, TriedLevel, choose
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
