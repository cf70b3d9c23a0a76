"""Stands in for sysbench 1.0.20: its option names, and its fileio with the text it prints."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.compat.sysbench.fileio_run import fileio
    from assay.compat.sysbench.names import instead_of, normal
    from assay.compat.sysbench.options import fileio_options
    from assay.compat.sysbench.other_tests import elsewhere
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "elsewhere",
    "fileio",
    "fileio_options",
    "instead_of",
    "normal",
]
