"""The notebook of the guide runs from its first cell to its last, and what it shows can be shown."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

NOTEBOOK = Path(__file__).parents[2] / "docs" / "guide" / "notebook.ipynb"


@pytest.mark.long
def test_every_cell_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_results(
        tmp_path / "results" / "purge-threads",
        study_toml=STUDY_TOML.replace("[1, 8, 64]", "[1, 8]"),
        loads=(1, 8),
        effect=1.2,
        truth=Truth(measure_s=3, warmup_s=1),
    )
    monkeypatch.setenv("RESULTS", str(folder.path))
    names: dict[str, Any] = {}
    shown = [_run(source, names) for source in _cells()]
    assert len(shown) > 8
    assert all(value is not None for value in shown)
    for value in shown:
        draw = getattr(value, "_repr_html_", None) or getattr(value, "_repr_svg_", None)
        assert draw is None or draw().startswith("<")
    names["study"].close()


def test_it_is_kept_without_results() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]


def _cells() -> list[str]:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def _run(source: str, names: dict[str, Any]) -> Any:
    """The value of a cell's last expression, which a notebook shows."""
    *before, last = ast.parse(source).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
