"""Says how a page's numbers are had by hand: as Python, and as SQL on the store."""

from __future__ import annotations

from assay.front.web.archive.open_results import OpenResults


def loaded(opened: OpenResults) -> str:
    """Returns the Python that opens these results."""
    return f"assay.load({str(opened.folder.path)!r})"


def sql_text(text: str) -> str:
    """Returns a text as SQL writes it."""
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
