"""Cells of results folders as series: by build and by date, against a canary, with the changes in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from assay.design.study import Conditions
from assay.experiments.history.changes import changes_of, shifts_of
from assay.experiments.history.reading import Build, Cell
from assay.experiments.history.series import Series, series_of
from assay.measurement.calibration import Noise, NoiseSetting

HERE = Conditions(
    workload="oltp_read_write",
    configuration="default",
    study="a1b2",
    host="2 x CPU, 8 GiB",
    load_kind="threads",
    load=8.0,
    server_flavour="mariadb",
    engine="1",
)
BLOCKS = 4


def cell(version: str, values: list[float], folder: str = "one", **other: object) -> Cell:
    found = Cell(
        folder=folder,
        where=HERE,
        build=Build("mariadb", version, version),
        use=f"mariadb@{version}",
        started_ns=0,
        measure="tps",
        unit="/s",
        blocks=dict(enumerate(values, start=1)),
    )
    return replace(found, **other)


def nights(levels: list[float], **other: object) -> list[Cell]:
    """A results folder a night, with an old build and a new one; the host is another every night."""
    random = np.random.default_rng(5)
    found = []
    for night, level in enumerate(levels):
        host = 1000 * np.exp(random.normal(0, 0.1, BLOCKS))
        noise = np.exp(random.normal(0, 0.005, (2, BLOCKS)))
        more = {"folder": f"night-{night}", "started_ns": night * 10**18, **other}
        found.append(cell("10.6.1", list(host * noise[0]), **more))
        found.append(cell(f"11.4.{night}", list(host * noise[1] * level), **more))
    return found


def copies(log_sd: float, degrees: int) -> Noise:
    setting = NoiseSetting(host=HERE.host, server="MariaDB 11.4.1", workload="w", regime="", window_s=4.0)
    more = {"load_kind": "threads", "load": 8.0, "measure": "tps", "blocks": 6, "measured_wall_ns": 0}
    return Noise(setting=setting, log_sd=log_sd, degrees=degrees, **more)


def only(found: list[Series], canary: str | None) -> Series:
    (series,) = [one for one in found if one.canary == canary]
    return series


def test_versions_are_ordered_by_their_numbers() -> None:
    found = series_of([cell(version, [1.0]) for version in ("11.4.10", "11.4.9", "9.1")], "build", None)
    assert [point.build for point in found[0].points] == [
        "mariadb 9.1", "mariadb 11.4.9", "mariadb 11.4.10",
    ]  # fmt: skip


def test_ratios_to_a_canary_are_free_of_what_the_host_did() -> None:
    cells = nights([1.0] * 8 + [0.9] * 8)
    plain = only(series_of(cells, "build", None), None)
    assert changes_of(plain) == ()
    paired = only(series_of(cells, "build", "mariadb@10.6"), "mariadb 10.6.1")
    assert [point.build for point in paired.points] == [f"mariadb 11.4.{night}" for night in range(16)]
    (change,) = changes_of(paired)
    assert (change.before, change.after) == ("mariadb 11.4.7", "mariadb 11.4.8")
    assert change.low < 0.9 < change.high
    assert not change.is_better


def test_a_values_interval_is_of_the_ratios_of_its_blocks() -> None:
    cells = [cell("10.6.1", [10.0, 20.0]), cell("11.4.1", [11.0, 24.0])]
    (series,) = series_of(cells, "build", "mariadb@10.6.1")
    (point,) = series.points
    assert point.value == pytest.approx((1.1 * 1.2) ** 0.5)
    assert np.exp(point.logs) == pytest.approx([1.1, 1.2])


def test_blocks_without_the_canary_are_left_out_and_folders_without_it_stay_levels() -> None:
    canary = cell("10.6.1", [10.0])
    cells = [canary, cell("11.4.1", [11.0, 24.0]), cell("11.4.2", [30.0], folder="two")]
    found = series_of(cells, "build", "mariadb@10.6")
    assert only(found, "mariadb 10.6.1").points[0].value == pytest.approx(1.1)
    assert [point.build for point in only(found, None).points] == ["mariadb 11.4.2"]


def test_by_build_folders_are_one_value_and_by_date_each_its_own() -> None:
    cells = [cell("11.4.1", [4.0]), cell("11.4.1", [9.0], folder="two", started_ns=86_400 * 10**9)]
    (by_build,) = series_of(cells, "build", None)
    assert [point.value for point in by_build.points] == pytest.approx([6.0])
    (by_date,) = series_of(cells, "date", None)
    assert [point.build for point in by_date.points] == [
        "mariadb 11.4.1, 1970-01-01 00:00:00",
        "mariadb 11.4.1, 1970-01-02 00:00:00",
    ]


def test_two_builds_of_one_version_are_told_apart_by_their_binaries() -> None:
    cells = [cell("11.4.1", [1.0]), cell("11.4.1", [2.0], build=Build("mariadb", "11.4.1", "abcdef0123"))]
    (series,) = series_of(cells, "build", None)
    assert {point.build for point in series.points} == {
        "mariadb 11.4.1 (11.4.1)", "mariadb 11.4.1 (abcdef01)",
    }  # fmt: skip


@pytest.mark.parametrize(
    "other", [{"where": replace(HERE, load=64.0)}, {"measure": "qps"}, {"where": replace(HERE, engine="2")}]
)
def test_what_differs_in_more_than_the_build_is_another_series(other: dict[str, object]) -> None:
    assert len(series_of([cell("11.4.1", [1.0]), cell("11.4.2", [1.0], **other)], "build", None)) == 2


def test_series_that_step_at_one_build_are_one_row() -> None:
    levels = [1.0] * 8 + [0.9] * 8
    cells = (
        nights(levels) + nights(levels, where=replace(HERE, load=64.0)) + nights([1.0] * 16, measure="qps")
    )
    series = [one for one in series_of(cells, "build", "mariadb@10.6") if one.canary]
    (shift,) = shifts_of([change for one in series for change in changes_of(one)], series)
    assert (shift.before, shift.after) == ("mariadb 11.4.7", "mariadb 11.4.8")
    assert (len(shift.changes), shift.of, shift.better) == (2, 3, 0)
    assert (shift.before_use, shift.after_use) == ("mariadb@11.4.7", "mariadb@11.4.8")


def test_the_smallest_change_is_that_of_copies_where_there_are_any() -> None:
    found = nights([1.0] * 4)
    plain = only(series_of(found, "build", "mariadb@10.6"), "mariadb 10.6.1")
    assert plain.least == 0.02
    known = [replace(one, noise=(copies(0.03, 15), copies(0.01, 15))) for one in found]
    paired = only(series_of(known, "build", "mariadb@10.6"), "mariadb 10.6.1")
    pooled = np.sqrt((0.03**2 + 0.01**2) / 2)
    assert paired.noise == (copies(0.03, 15), copies(0.01, 15))
    assert paired.least == pytest.approx(
        np.expm1(2.042 * pooled * np.sqrt(2) * np.sqrt(2 / BLOCKS)), rel=1e-3
    )


def test_plain_levels_have_the_noise_of_days_as_well() -> None:
    still = [cell("11.4.1", [100.0, 100.1, 99.9]), cell("11.4.2", [100.0, 100.1, 99.9])]
    loud = [cell("11.4.1", [100.0, 120.0, 80.0]), cell("11.4.2", [100.0, 120.0, 80.0])]
    quiet, noisy, before = (
        series_of([replace(one, noise=noise) for one in cells], "build", None)[0].least
        for cells, noise in ((still, (copies(0.05, 15),)), (loud, (copies(0.05, 15),)), (loud, ()))
    )
    assert 0.08 < quiet < 0.12
    assert noisy == before > 0.2


def test_the_smallest_change_grows_with_the_noise_between_blocks() -> None:
    quiet, loud = (
        series_of([cell("11.4.1", list(values)), cell("11.4.2", list(values))], "build", None)[0]
        for values in ([100.0, 100.1, 99.9], [100.0, 120.0, 80.0])
    )
    assert quiet.least == 0.02
    assert loud.least > 0.2
