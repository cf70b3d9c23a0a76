"""The studies that come with Assay, and the titles of study files that are not read whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.base.carried import carried

SHIPPED = carried("studies")
"""The folder with the studies."""


def english_title(tables: Mapping[str, Any]) -> str:
    """Returns the English title in the tables of a study file, or the first that it has; empty where there is
    none.
    """
    study = tables.get("study")
    titles = study.get("title", "") if isinstance(study, dict) else ""
    if isinstance(titles, dict):
        titles = titles.get("en", next(iter(titles.values()), ""))
    return str(titles)
