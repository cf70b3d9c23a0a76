"""Writes the list of measures that belong to single workloads: `python -m scripts.workload_measures`.

It reads the engine's catalogue, `assay-engine workloads`, from standard input, and writes
python/assay/base/format/measures.py, so that a claim is read without an engine. With `--check` nothing is
written: an outdated file is named, and the exit code is 1.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
from assay.base.format.event import OwnMeasure

from scripts.of_engine import ROOT, keep

FILE = ROOT / "python/assay/base/format/measures.py"


def module(catalogue: list[dict[str, Any]]) -> str:
    """Returns the Python file, formatted, in which a measure of several workloads is listed once."""
    announced = [one for entry in catalogue for one in entry["measures"]]
    own = dict.fromkeys(repr(msgspec.convert(one, OwnMeasure)) for one in announced)
    of = {entry["name"]: tuple(one["name"] for one in entry["measures"]) for entry in catalogue}
    listed = {name: measures for name, measures in of.items() if measures}
    text = (
        '"""Measures of workloads\' own: made of what the engine says by `make schema`, never edited."""\n\n'
        "from __future__ import annotations\n\n"
        "from collections.abc import Mapping\n\n"
        "from assay.base.format.event import OwnMeasure\n\n"
        f"OWN_MEASURES: tuple[OwnMeasure, ...] = ({''.join(f'{one},' for one in own)})\n"
        f"OWN_MEASURES_OF: Mapping[str, tuple[str, ...]] = {listed}\n"
        '"""Names of the measures that a workload has for itself."""\n'
    )
    ruff = [str(Path(sys.executable).with_name("ruff")), "format", "--stdin-filename", FILE.name, "-"]
    return subprocess.run(ruff, input=text, capture_output=True, check=True, text=True, cwd=ROOT).stdout


if __name__ == "__main__":
    sys.exit(keep(FILE, module))
