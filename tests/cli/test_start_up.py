"""What a verb does not need is not imported: its start is part of its cost."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import msgspec
import numpy as np
from assay.base.numbers import number
from assay.base.tally import decode
from assay.design.folder import WHOLE, LabelTimes
from assay.system.engine import null_server
from assay.testing import interval, run_result
from assay.testing.histograms import encode_hdr
from each import each
from shell import ROOT

HEAVY = {
    "duckdb",
    "nanoarrow",
    "pydantic",
    "pymysql",
    "cryptography",
    "jinja2",
    "jsonschema",
    "vl_convert",
}
FOR_HELP = HEAVY | {"numpy", "rich"}

LOADED = """
import json, sys
from assay.front.cli import exit_code_of
for words in map(str.split, sys.argv[1:]):
    code = exit_code_of(words)
    names = sorted({name.partition(".")[0] for name in sys.modules})
    print("\\nloaded", json.dumps([code, names]))
"""


def loaded(*commands: str) -> list[tuple[int, set[str]]]:
    """The exit code of each command, all in one process of their own, and the packages imported by then."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *commands],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")},
    )
    ends = (json.loads(line[7:]) for line in done.stdout.splitlines() if line.startswith("loaded ["))
    return [(code, set(names)) for code, names in ends]


HELPS = [
    "--help",
    "bench --help",
    "bench oltp_read_write --help",
    "bench tpcc --help",
    "bench linkbench --help",
    "calibrate --help",
    "calibrate files --help",
    "plan --help",
    "run --help",
    "report --help",
    "server --help",
    "dataset --help",
    "host --help",
    "doctor --help",
    "fio --help",
    "sysbench fileio --help",
]


def test_help_imports_nothing_heavy() -> None:
    ends = loaded(*HELPS)
    found = {words: (code, names & FOR_HELP) for words, (code, names) in zip(HELPS, ends, strict=True)}
    assert found == dict.fromkeys(HELPS, (0, set()))


def test_a_measurement_imports_what_it_needs() -> None:
    ((code, names),) = loaded("bench oltp_read_only --socket /nope.sock --time 1")
    assert code == 3
    assert names & (HEAVY | {"numpy"}) == set()


def test_a_measurement_that_was_made_has_imported_no_more() -> None:
    with null_server("unix") as target:
        words = f"bench oltp_point_select --socket {target.socket} --threads 1 --events 1 --json"
        ((code, names),) = loaded(words)
    assert (code, names & (HEAVY | {"numpy"})) == (0, set())


LATER = {"numpy", "duckdb", "nanoarrow", "jinja2", "vl_convert", "rich.progress"}
"""What judges and draws: nothing of it stands by while the engine measures."""

SECOND = """
import sys
from assay.design.folder import decode_event
from assay.experiments.bench import measure
from assay.front.terminal.bench_progress import live_line
print(live_line(decode_event(sys.argv[1]), elapsed_s=1.0, connections=1))
"""

STUDY = """
from assay.experiments.lab import carry_out, folder_of, open_study
from assay.front.cli import fetching, run
from assay.front.terminal import LiveProgress, PlainProgress
print(carry_out.__name__)
"""

PICTURE = """
import importlib, pkgutil
from assay.reporting.report import Chart, charts, to_svg
for found in pkgutil.iter_modules(charts.__path__):
    if found.name != "drawing_process":
        importlib.import_module(f"{charts.__name__}.{found.name}")
print(to_svg(Chart("", "one", "", "", {"data": {"values": [{}]}, "mark": "point"}, ()))[:4])
"""


def printed(program: str, of: set[str], *arguments: str) -> tuple[str, set[str]]:
    """What a program prints in a process of its own, and which of some modules it then has."""
    asked = f"import sys; print(*sorted({of!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{asked}", *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")},
    )
    first, last = done.stdout.splitlines()
    return first, set(last.split())


def test_a_second_of_a_measurement_is_shown_without_what_judges_and_draws() -> None:
    text = encode_hdr(np.array([100, 2000]), np.array([90, 10]))
    second = interval(labels={WHOLE: LabelTimes(count=100, service=text)})
    line, there = printed(SECOND, LATER, msgspec.json.encode(second).decode())
    assert f"p95 {number(decode(text).percentile(0.95) / 1e6)} ms" in line
    assert there == set()


FIGURES = """
import sys
from assay.base.doubts.of_result import figures_of
from assay.design.folder import decode_event
from assay.experiments.bench.figures import figures
result = decode_event(sys.argv[1])
shown = figures(result, settings={"workload": "one"}, own={})
print(figures_of(result, threads=1).mean_ms, shown["service_ms"]["p95"])
"""


def test_the_figures_of_a_measurement_need_no_arrays() -> None:
    text = encode_hdr(np.array([100, 2000]), np.array([90, 10]))
    result = run_result(labels={WHOLE: LabelTimes(count=100, service=text)})
    line, there = printed(FIGURES, LATER, msgspec.json.encode(result).decode())
    times = decode(text)
    assert line == f"{times.mean / 1e6} {times.percentile(0.95) / 1e6}"
    assert there == set()


def test_a_study_is_carried_out_without_what_judges_and_draws() -> None:
    rooms = {"assay.results", "assay.reporting.report", "asyncio"}
    assert printed(STUDY, LATER - {"numpy"} | rooms) == ("carry_out", set())


def test_what_draws_is_in_a_process_of_its_own() -> None:
    assert printed(PICTURE, {"vl_convert"}) == ("<svg", set())


def test_a_study_that_no_noise_is_known_of_is_run_without_statistics(tmp_path: Path) -> None:
    study, results = str(ROOT / "studies/quickstart.toml"), str(tmp_path / "results")
    ((code, names),) = loaded(f"run {study} --server mariadb@3.23 --results {results}")
    assert code == 6
    assert "duckdb" not in names


FACES = sorted(
    ".".join(file.parent.relative_to(ROOT / "python").parts)
    for file in (ROOT / "python" / "assay").rglob("__init__.py")
    if "\n__all__ = " in file.read_text(encoding="utf-8")
)


def test_faces_are_whole() -> None:
    """What a face names is there, also beside a module of that name."""
    each(FACES, _is_whole)


def _is_whole(face: str) -> None:
    package = importlib.import_module(face)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{face}.{module.name}")
    found = {name: getattr(package, name) for name in package.__all__}
    modules = {name: one for name, one in found.items() if isinstance(one, ModuleType)}
    assert not [name for name, one in modules.items() if callable(getattr(one, name, None))]
    assert not hasattr(package, "no_such_name")
