"""Carries out fio's job files, and prints results in the forms of `fio` 3.33."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.front.compat.fio.options import fio_options
    from assay.front.compat.fio.run import check_file, form_of, run_file
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "check_file",
    "fio_options",
    "form_of",
    "run_file",
]
