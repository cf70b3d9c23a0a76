"""Carries plans out and leaves run folders: runs, samplers, experiments, resume, the sweep."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.measurement.run.execute import Outcome, execute
    from assay.measurement.run.hosts.block_process import COMMAND as BLOCK_COMMAND
    from assay.measurement.run.hosts.execute import execute_over
    from assay.measurement.run.journal import MOST_ATTEMPTS, check_same_study, completed, entry_of
    from assay.measurement.run.preflight import look
    from assay.measurement.run.progress import RunProgress
    from assay.measurement.run.sweep import sweep
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "BLOCK_COMMAND",
    "MOST_ATTEMPTS",
    "Outcome",
    "RunProgress",
    "check_same_study",
    "completed",
    "entry_of",
    "execute",
    "execute_over",
    "look",
    "sweep",
]
