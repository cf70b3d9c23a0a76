"""Reads loads on files (fio's job files, sysbench's fileio) into jobs for the engine; it runs nothing."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.design.jobfiles.fileio import FILEIO_FLAGS, FILEIO_IO_MODES, FILEIO_MODES, Fileio
    from assay.design.jobfiles.reading_back import reading_back
    from assay.design.jobfiles.sections import JobOption, sections_of
    from assay.design.jobfiles.sizes import size
    from assay.design.jobfiles.stages import ReportLine, Stage, read_stages, stages_of
    from assay.design.jobfiles.steady_state import STEADY_RANGE, STEADY_SLOPE, Steady, steady_state
    from assay.design.jobfiles.study_load import StorageJobs, StudyLoad, files_bytes, layout, overwrite
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "FILEIO_FLAGS",
    "FILEIO_IO_MODES",
    "FILEIO_MODES",
    "STEADY_RANGE",
    "STEADY_SLOPE",
    "Fileio",
    "JobOption",
    "ReportLine",
    "Stage",
    "Steady",
    "StorageJobs",
    "StudyLoad",
    "files_bytes",
    "layout",
    "overwrite",
    "read_stages",
    "reading_back",
    "sections_of",
    "size",
    "stages_of",
    "steady_state",
]
