"""The most memory of the server's process is a measure: of the window, and of a part of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from assay.design.folder import read_manifest
from assay.design.study import Term
from assay.design.study.claims import Window
from assay.design.study.measures import in_unit
from assay.results.store import build_store, open_store
from assay.results.store.measures import rung_measures
from assay.results.store.rung import read_rung
from assay.results.store.series import Series
from assay.results.verdict.courses import Course, courses
from assay.testing.results_folder import make_results
from recorded_results import unpack


def test_it_is_the_largest_reading_in_the_window(tmp_path: Path) -> None:
    run = next(unpack("open", tmp_path).finished_runs())
    rung = read_rung(run, 1, read_manifest(run).rungs[0])
    window = rung.window_ns()
    assert window is not None
    wall_ns = np.array([window[0] - 10**9, window[0], window[1], window[1] + 10**9], dtype=np.int64)
    sizes = np.array([[9e9], [2.0 * 2**30], [1.0 * 2**30], [np.nan]])
    samples = {"processes": Series("processes", ["server.rss_bytes"], wall_ns, sizes)}
    (found,) = [one for one in rung_measures(rung, samples) if one.name == "server_rss_mib"]
    assert (found.value, found.unit) == (2048.0, "MiB")
    assert not [one for one in rung_measures(rung, {}) if one.name == "server_rss_mib"]


def test_a_study_has_it_and_its_course(tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", loads=(8,))
    build_store(folder)
    with open_store(folder) as store:
        values = store.execute(
            "SELECT DISTINCT value FROM measures WHERE measure = 'server_rss_mib'"
        ).fetchall()
        assert values == [(4.5e8 / 2**20,)]
        course = next(iter(next(iter(courses(store)("server_rss_mib").values())).values()))
        part = course.part(Window("last", 2.0))
        assert part is not None
        assert part.figure() == (pytest.approx(4.5e8 / 2**20), False)


def test_a_part_has_its_own_largest_value() -> None:
    course = Course(np.arange(4.0), np.ones(4), np.array([1.0, 5.0, 2.0, 3.0]), {}, largest=True)
    assert course.figure() == (5.0, False)
    last = course.part(Window("last", 2.0))
    assert last is not None
    assert last.figure() == (3.0, False)


def test_sizes_have_the_units_that_people_write() -> None:
    assert Term("server_rss_mib").unit == "MiB"
    assert in_unit(2, "GiB", "MiB") == 2048
    assert in_unit(2, "GB", "MiB") == pytest.approx(1907.35, rel=1e-5)
    assert in_unit(2, "ms", "MiB") is None
