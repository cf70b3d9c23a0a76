"""A person's own statements: the first file of them, made of a log, and what a server says of a file."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.experiments.own.check import Checked, CheckedStatement, Finding, check
    from assay.experiments.own.data_file import DataFile, own_data
    from assay.experiments.own.first_file import FirstFile, Source, check_file, first_file
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Checked",
    "CheckedStatement",
    "DataFile",
    "Finding",
    "FirstFile",
    "Source",
    "check",
    "check_file",
    "first_file",
    "own_data",
]
