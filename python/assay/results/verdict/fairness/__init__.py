"""Compares the servers of a study in the settings that make a comparison fair; `subjects` lists them as
data.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.results.verdict.fairness.diff import Inequality, inequalities
    from assay.results.verdict.fairness.settings import read_settings
    from assay.results.verdict.fairness.subjects import SUBJECTS, Subject
    from assay.results.verdict.fairness.variables import Difference, differing_variables, variables_in_force
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "SUBJECTS",
    "Difference",
    "Inequality",
    "Subject",
    "differing_variables",
    "inequalities",
    "read_settings",
    "variables_in_force",
]
