"""Stands in for other tools, one a folder: their options, their files, their text."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.compat import fio, sysbench
    from assay.compat.options import Asked
    from assay.compat.registry import tool_of
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Asked",
    "fio",
    "sysbench",
    "tool_of",
]
