"""Carries plans out: the engine as a process, datasets, servers per run, run folders, resume."""

from assay.run.engine import find_engine, run_job, workload_catalogue
from assay.run.execute import Outcome, execute
from assay.run.interrupts import Interrupts

__all__ = ["Interrupts", "Outcome", "execute", "find_engine", "run_job", "workload_catalogue"]
