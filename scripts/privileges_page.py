"""Writes the table of docs/reference/privileges.md from the code: `python -m scripts.privileges_page`."""

from __future__ import annotations

from pathlib import Path

from assay.base.privileges import PRIVILEGES

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "privileges.md"
BEGIN, END = "<!-- table of privileges: make schema -->", "<!-- end of the table -->"


def table() -> str:
    """Returns the table in Markdown, a row for each privilege."""
    rows = ["| line | allows | needs | otherwise |", "|---|---|---|---|"]
    for one in PRIVILEGES.values():
        words = one.feature.replace("|", "\\|"), one.needs, one.otherwise or "–"
        rows.append(f"| `{one.name}` | " + " | ".join(words) + " |")
    return "\n".join(rows)


def page(text: str) -> str:
    """Returns the page with the table of today."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
