"""Reads loads on files (fio's job files, sysbench's fileio) into jobs for the engine, and computes the
figures of their results; it runs nothing.
"""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.design.storage.figures import JobFigures, Side, figures_of
    from assay.design.storage.fileio import FILEIO_FLAGS, FILEIO_IO_MODES, FILEIO_MODES, Fileio
    from assay.design.storage.reading_back import reading_back
    from assay.design.storage.sections import JobOption, sections_of
    from assay.design.storage.sizes import size
    from assay.design.storage.stages import ReportLine, Stage, read_stages, stages_of
    from assay.design.storage.steady_state import STEADY_RANGE, STEADY_SLOPE, Steady, steady_state
    from assay.design.storage.study_load import StorageJobs, StudyLoad, files_bytes, layout, overwrite
    from assay.design.storage.times import PERCENTILES, Times, read_times
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "FILEIO_FLAGS",
    "FILEIO_IO_MODES",
    "FILEIO_MODES",
    "PERCENTILES",
    "STEADY_RANGE",
    "STEADY_SLOPE",
    "Fileio",
    "JobFigures",
    "JobOption",
    "ReportLine",
    "Side",
    "Stage",
    "Steady",
    "StorageJobs",
    "StudyLoad",
    "Times",
    "figures_of",
    "files_bytes",
    "layout",
    "overwrite",
    "read_stages",
    "read_times",
    "reading_back",
    "sections_of",
    "size",
    "stages_of",
    "steady_state",
]
