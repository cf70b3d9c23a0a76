"""Stands in for LinkBench: reads its properties files, prints its text, writes its CSV files."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.compat.linkbench.csv_files import CsvStats, CsvStream
    from assay.compat.linkbench.properties import Property, parse_properties
    from assay.compat.linkbench.settings import Settings, read_settings
    from assay.compat.linkbench.tool_text import TextSettings, ToolText
    from assay.compat.linkbench.translate import general_options, max_failed, whole
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
