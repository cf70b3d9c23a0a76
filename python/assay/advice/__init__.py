"""Derives settings from what was measured, or from a formula, each with its reason."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.advice.calculators import CALCULATORS
    from assay.advice.calculators.calculator import Answer, Calculator, Input
    from assay.advice.cells import read_cells
    from assay.advice.disk import Advice, advise
    from assay.advice.settings import Choice, Effect, TriedFactor, TriedLevel, choose, fragment
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "CALCULATORS",
    "Advice",
    "Answer",
    "Calculator",
    "Choice",
    "Effect",
    "Input",
    "TriedFactor",
    "TriedLevel",
    "advise",
    "choose",
    "fragment",
    "read_cells",
]
