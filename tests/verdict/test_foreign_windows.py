"""Load of other programs, from recorded samples: found in every window of two seconds, and in no quiet
one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from assay.design.folder import Manifest, ResultsFolder, Sample
from assay.design.study import load_study
from assay.results.store import build_store, open_store
from assay.results.verdict import judge
from assay.testing.results_folder import Truth, make_results
from quiet_machine import quiet_readings

SECOND = 1_000_000_000


def planted(share: float) -> list[dict[str, float]]:
    """A sampled machine with a busy loop that takes `share` of a processor from the measurement."""
    return [
        values
        | {
            "own_us_total": values["own_us_total"] - number * share * 1e6,
            "program.4711.loop_us_total": number * share * 1e6,
        }
        for number, values in enumerate(quiet_readings())
    ]


def folder_with(path: Path, values: Sequence[dict[str, float]], windows: int) -> ResultsFolder:
    """One run a window of two seconds; the phase of the readings against the window moves from run to run."""
    folder = make_results(
        path, blocks=(windows + 1) // 2, loads=(8,), truth=Truth(measure_s=2, warmup_s=1, samples=False)
    )
    for number, run in enumerate(folder.finished_runs()):
        started = msgspec.json.decode(run.manifest.read_bytes(), type=Manifest).started_wall_ns
        run.samples("others").parent.mkdir(exist_ok=True)
        first = 2 * number % (len(values) - 10)
        phase = number * SECOND // 50 % SECOND
        lines = [
            msgspec.json.encode(
                Sample(
                    wall_ns=started + second * SECOND + phase,
                    values=values[first + second],
                    cost_us=3.0,
                    late_us=1.0,
                )
            )
            for second in range(9)
        ]
        run.samples("others").write_bytes(b"\n".join(lines) + b"\n")
    return folder


def doubted(folder: ResultsFolder, kind: str = "foreign-load") -> list[str]:
    build_store(folder)
    found = judge(load_study(folder.study_file), open_store(folder)).doubts
    assert {note.severity for note in found if note.kind == kind} <= {"warning"}
    return [note.message for note in found if note.kind == kind]


@pytest.mark.long
def test_of_a_hundred_quiet_windows_none_is_doubted(tmp_path: Path) -> None:
    assert doubted(folder_with(tmp_path, quiet_readings(), 100)) == []


def test_every_window_beside_a_busy_loop_is_doubted(tmp_path: Path) -> None:
    found = doubted(folder_with(tmp_path, planted(0.5), 100))
    assert len(found) == 100
    assert all(re.search(r": loop 0\.\d+, which the server", message) for message in found)


def test_a_hypervisor_that_takes_much_is_a_doubt_of_its_own(tmp_path: Path) -> None:
    stolen = [
        values | {"steal_us_total": number * 2e5, "idle_us_total": values["idle_us_total"] - number * 2e5}
        for number, values in enumerate(quiet_readings())
    ]
    folder = folder_with(tmp_path, stolen, 4)
    assert doubted(folder) == []
    found = doubted(folder, "stolen-time")
    assert len(found) == 4
    assert found[0] == "the hypervisor gave 10% of the processors' time to other machines"


@pytest.mark.parametrize("left_out", ["own_us_total", "*"])
def test_folders_that_cannot_tell_are_not_doubted(tmp_path: Path, left_out: str) -> None:
    values = [{n: v for n, v in one.items() if left_out not in ("*", n)} for one in planted(0.9)]
    folder = folder_with(tmp_path, values, 2)
    assert doubted(folder) == []
    build_store(folder)
    unseen = [
        note
        for note in judge(load_study(folder.study_file), open_store(folder)).doubts
        if "unseen" in note.kind
    ]
    assert [note.severity for note in unseen] == (["note"] if left_out == "own_us_total" else [])
