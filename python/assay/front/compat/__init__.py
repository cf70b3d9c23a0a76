"""Stands in for other tools, one a folder: their options, their files, their text."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.front.compat import fio, sysbench
    from assay.front.compat.options import ParsedCommand
    from assay.front.compat.registry import tool_of
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "ParsedCommand",
    "fio",
    "sysbench",
    "tool_of",
]
