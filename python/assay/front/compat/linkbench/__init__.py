"""Stands in for LinkBench: reads its properties files, prints its text, writes its CSV files."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.front.compat.linkbench.csv_files import CsvStats, CsvStream
    from assay.front.compat.linkbench.properties import Property, parse_properties
    from assay.front.compat.linkbench.settings import Settings, read_settings
    from assay.front.compat.linkbench.tool_text import TextSettings, ToolText
    from assay.front.compat.linkbench.translate import general_options, max_failed, whole
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "CsvStats",
    "CsvStream",
    "Property",
    "Settings",
    "TextSettings",
    "ToolText",
    "general_options",
    "max_failed",
    "parse_properties",
    "read_settings",
    "whole",
]
