"""Answers with a page's content as JSON, CSV, Markdown or SVG, by the ending of the page's address."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.responses import Response

from assay.base.printable import escaped_in_json
from assay.front.web.not_found import NotFound
from assay.reporting.report import Chart, Table, Words, kept_svg, raw_rows, records_csv, to_csv, to_markdown

FORMAT = 1
"""The number of the form of JSON twins; a later one may add fields."""


def as_json(content: dict[str, Any]) -> Response:
    """Returns an object as JSON, with the number of its form."""
    text = json.dumps({"format": FORMAT} | _finite(content), ensure_ascii=False, default=str)
    return Response(escaped_in_json(text), media_type="application/json")


def as_csv(table: Table) -> Response:
    """Returns a table as CSV with full precision."""
    return Response(to_csv(table), media_type="text/csv; charset=utf-8")


def as_markdown(tables: Sequence[Table], words: Words) -> Response:
    """Returns tables as Markdown."""
    text = "\n".join(to_markdown(one, words) for one in tables)
    return Response(text, media_type="text/markdown; charset=utf-8")


def as_svg(svg: str) -> Response:
    return Response(svg, media_type="image/svg+xml")


def as_chart(charts: Sequence[Chart | None], name: str, ending: str, pictures: Path) -> Response:
    """Returns one chart of a page as SVG, or its records as CSV. Raises NotFound for one that it lacks."""
    chart = next((one for one in charts if one is not None and one.name == name), None)
    if chart is not None and ending == "svg":
        return as_svg(kept_svg(chart, pictures))
    if chart is not None and ending == "csv":
        return Response(records_csv(chart), media_type="text/csv; charset=utf-8")
    raise NotFound("web.missing.chart", name=name, form=ending)


def table_object(table: Table) -> dict[str, Any]:
    """Returns a table for JSON: columns with their units, and rows of raw values."""
    headings, units, rows = raw_rows(table)
    return {
        "name": table.name,
        "title": table.title,
        "columns": [{"name": name, "unit": unit} for name, unit in zip(headings, units, strict=True)],
        "rows": rows,
    }


def _finite(value: Any) -> Any:
    """Returns the value with None for what JSON has no number for."""
    match value:
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {str(key): _finite(one) for key, one in value.items()}
        case list() | tuple():
            return [_finite(one) for one in value]
    return value
