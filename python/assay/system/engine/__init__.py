"""Runs the measuring engine as a process: finds it, gives it a job, reads its events, stops it."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.system.engine import jobs
    from assay.system.engine.binary import find_engine, workload_catalogue
    from assay.system.engine.build import FOR_MEASURING, EngineBuild, engine_build
    from assay.system.engine.interrupts import Interrupts
    from assay.system.engine.nullserver import Transport, null_server
    from assay.system.engine.process import JobOutcome, job_error, run_job
    from assay.system.engine.rates import error_count, interval_p95_ms, interval_seconds, per_second
    from assay.system.engine.refusal import check_disk_job
    from assay.system.engine.scripts import (
        UNREAD,
        check_statements,
        has_conditions,
        script_listing,
        script_listings,
        script_load_only,
        script_shaping,
    )
    from assay.system.engine.warmup_answers import WarmupAnswers, warmup_answers
    from assay.system.engine.workload_size import load_only, rows_version, shaping, sizes, workload_size
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "FOR_MEASURING",
    "UNREAD",
    "EngineBuild",
    "Interrupts",
    "JobOutcome",
    "Transport",
    "WarmupAnswers",
    "check_disk_job",
    "check_statements",
    "engine_build",
    "error_count",
    "find_engine",
    "has_conditions",
    "interval_p95_ms",
    "interval_seconds",
    "job_error",
    "jobs",
    "load_only",
    "null_server",
    "per_second",
    "rows_version",
    "run_job",
    "script_listing",
    "script_listings",
    "script_load_only",
    "script_shaping",
    "shaping",
    "sizes",
    "warmup_answers",
    "workload_catalogue",
    "workload_size",
]
