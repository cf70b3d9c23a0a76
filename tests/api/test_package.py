"""A source package holds all that a wheel is made of; the wheel itself takes a build of the engine."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "python"
BUILT = {"__pycache__", ".pyc"}


def test_all_of_the_python_half_is_in_it(tmp_path: Path) -> None:
    """Code, templates, words, the mark of typed code, and the command `assay`."""
    subprocess.run(
        [sys.executable, "-m", "maturin", "sdist", "--out", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (package,) = tmp_path.glob("assay-*.tar.gz")
    with tarfile.open(package) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    ours = {
        str(path.relative_to(ROOT))
        for path in PYTHON.rglob("*")
        if path.is_file() and BUILT.isdisjoint({*path.parts, path.suffix})
    }
    assert {"python/assay/py.typed", "python/assay.data/scripts/assay"} <= ours
    assert ours - packed == set()


def test_the_command_is_a_script() -> None:
    """Beside a binary maturin builds no entry points: it refuses a project that has some."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "scripts" not in project["project"]
    script = ROOT / project["tool"]["maturin"]["data"] / "scripts/assay"
    assert script.read_text(encoding="utf-8").startswith("#!python\n")  # pip writes the interpreter there
