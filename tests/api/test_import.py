"""`import assay` costs next to nothing: what a name needs is imported when it is asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

PYTHON = Path(__file__).parents[2] / "python"
SPARED = {"rich", "click", "duckdb", "nanoarrow", "numpy", "pydantic", "msgspec", "vl_convert"}


def imported(statement: str) -> set[str]:
    """The packages that a statement imports in an interpreter of its own."""
    code = f"import json, sys\n{statement}\nprint(json.dumps([n.partition('.')[0] for n in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(PYTHON)},
    )
    return set(json.loads(done.stdout))


def test_the_package_alone_is_light() -> None:
    assert imported("import assay; dir(assay)") & SPARED == set()


def test_errors_can_be_named_for_nothing() -> None:
    assert imported("import assay; assay.AssayError") & SPARED == set()


def test_loading_needs_no_command_line() -> None:
    assert imported("import assay; assay.load") & {"rich", "click"} == set()
