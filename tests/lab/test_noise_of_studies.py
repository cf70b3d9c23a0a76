"""From equal copies to what a plan and a margin make of them."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder, read_entry
from assay.design.plan import Plan, make_plan
from assay.experiments.lab import OpenedStudy, foresee, judged, keep_spread, open_copies, open_study
from assay.experiments.lab.noise import LEAST_MARGIN, known_noise, margin_for, setting_of
from assay.reporting.report import print_summary
from assay.reporting.report.material import Material
from assay.reporting.report.tables.copies import tables
from assay.reporting.report.words import load_words
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from rich.console import Console

HEAD = STUDY_TOML.replace("[1, 8, 64]", "[8]").replace("mariadb@10.11", "mariadb").split("[[hypothesis]]")[0]
COPIES = {f"copy={number}": {"copy": number} for number in (1, 2, 3, 4)}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    file = tmp_path / "study.toml"
    file.write_text(HEAD + '[verdict]\nmargin = "aa"\n', encoding="utf-8")
    return file


def copies(study_file: Path, run_sd: float, effect: dict[str, float] | None = None) -> ResultsFolder:
    """Results of four copies in six blocks whose single runs have this spread."""
    return make_results(
        study_file.parent / "results" / "copies",
        study_toml=open_copies(study_file, blocks=6).text.text,
        treatments=COPIES,
        loads=(8,),
        effect=effect or 1.0,
        truth=Truth(measure_s=3, warmup_s=1, run_sd=run_sd, second_sd=0.001),
    )


def keep(study_file: Path, run_sd: float) -> None:
    with judged(copies(study_file, run_sd)) as found:
        keep_spread(found)


def plan_of(opened: OpenedStudy) -> Plan:
    return make_plan(opened.study, seed=1)


def test_the_spread_of_copies_is_that_of_single_runs_and_stands_on_the_page(
    study_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with judged(copies(study_file, 0.03)) as found:
        (tps, *others) = found.results.copies
        material = Material(found.study, found.results, found.store, load_words("en"))
        (table,) = tables(material)
    assert [one.measure for one in others] == ["p95_ms", "p99_ms"]
    assert (tps.copies, tps.blocks, tps.degrees, len(tps.by_position)) == (4, 6, 15, 4)
    assert tps.low < 0.03 < tps.high
    assert found.results.false_alarms == ()
    assert [row[2] for row in table.rows] == [100 * one.log_sd for one in found.results.copies]
    assert "0 are called better or worse" in table.note
    print_summary(found.results, Console())
    assert "0 of 9 comparisons of equal copies called better or worse" in capsys.readouterr().out


def test_copies_that_are_told_apart_are_false_alarms(study_file: Path) -> None:
    with judged(copies(study_file, 0.001, {"copy=3": 1.3})) as found:
        alarms = found.results.false_alarms
    assert {(one.other, one.word) for one in alarms} == {("copy=3", "better")}


def test_a_plan_goes_by_copies_then_by_what_is_stated_then_by_what_may_be(study_file: Path) -> None:
    def bases(verdict: str) -> list[tuple[str, float]]:
        study_file.write_text(f"{HEAD}[verdict]\n{verdict}\n", encoding="utf-8")
        forecast = foresee(open_study(study_file), ResultsFolder(study_file.parent / "results"))
        return [(one.basis, one.noise) for one in forecast.sights]

    assert bases("margin = 0.02") == [("supposed", 0.01), ("supposed", 0.05)]
    assert bases("noise = 0.03") == [("stated", 0.03)]
    keep(study_file, 0.02)
    ((basis, noise),) = bases("noise = 0.03")
    assert basis == "copies"
    assert noise == pytest.approx(0.02, rel=0.5)


def test_a_screen_sees_smaller_effects_than_a_pair(study_file: Path) -> None:
    """Ten factors in 24 treatments: twelve runs against twelve have 0.29 times the noise of two."""
    head = HEAD.split("[[factor]]")[0]
    names = ("purge_threads", "io_capacity", "flush_neighbors", "read_io_threads", "write_io_threads")
    names += ("lru_scan_depth", "spin_wait_delay", "sync_spin_loops", "old_blocks_time", "random_read_ahead")
    factors = [
        f'[[factor]]\nname = "server.variables.innodb_{name}"\nlevels = [201, 1000]\n' for name in names
    ]

    def seen(kind: str, of: int) -> float:
        design = f'[design]\nkind = "{kind}"\nblocks = 6\n[verdict]\nnoise = 0.01\n'
        study_file.write_text(head + "".join(factors[:of]) + design, encoding="utf-8")
        forecast = foresee(open_study(study_file), ResultsFolder(study_file.parent / "results"))
        (sight,) = forecast.sights
        assert sight.seen is not None
        assert sight.blocks_for_3_percent == (6 if of > 1 else 19)  # never fewer than a verdict needs
        return math.log(sight.seen)

    assert seen("plackett-burman", 10) / seen("factorial", 1) == pytest.approx(12**-0.5)


def test_a_margin_of_copies_is_refused_where_nobody_ran_any(study_file: Path) -> None:
    opened, folder = open_study(study_file), ResultsFolder(study_file.parent / "results" / "purge")
    with pytest.raises(InputError, match="none are kept") as caught:
        margin_for(opened.study, plan_of(opened), folder)
    assert "assay aa STUDY" in (caught.value.hint or "")
    forecast = foresee(opened, folder)
    assert forecast.refusal is not None
    assert "none are kept" in forecast.refusal.message


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("run_sd", "most"), [(0.001, LEAST_MARGIN), (0.05, 0.12)])
def test_a_margin_of_copies_is_what_equals_differ_by_and_never_below_2_percent(
    study_file: Path, run_sd: float, most: float
) -> None:
    keep(study_file, run_sd)
    opened = open_study(study_file)
    margin = margin_for(opened.study, plan_of(opened), ResultsFolder(study_file.parent / "none"))
    assert margin is not None
    assert LEAST_MARGIN <= margin <= most
    known = known_noise(opened.study, plan_of(opened))
    assert known is not None
    assert known.worst.measured_wall_ns // 10**15 == 1750  # when it was measured, not when it was judged


def test_the_setting_of_copies_is_that_of_their_study(study_file: Path) -> None:
    opened, twins = open_study(study_file), open_copies(study_file, blocks=6)
    setting = setting_of(opened.study, plan_of(opened))
    assert setting == setting_of(twins.study, plan_of(twins))
    assert setting.server.startswith("MariaDB ")
    assert (setting.regime, setting.window_s) == ("pool holds the data", 20.0)
    assert known_noise(opened.study, plan_of(opened)) is None


@pytest.mark.long
def test_results_are_judged_by_the_margin_that_they_began_with(study_file: Path) -> None:
    folder = make_results(
        study_file.parent / "results" / "purge",
        study_toml=study_file.read_text(encoding="utf-8"),
        loads=(8,),
        effect=1.05,
        truth=Truth(measure_s=3, warmup_s=1),
    )
    with pytest.raises(InputError, match="no margin of copies"), judged(folder):
        pass
    entry = msgspec.structs.replace(read_entry(folder), copies_margin=0.15)
    folder.entry.write_bytes(msgspec.json.encode(entry))
    keep(study_file, 0.001)  # what is kept later changes nothing
    with judged(folder) as found:
        tps = next(one for one in found.results.comparisons if one.measure == "tps")
    assert (tps.margin, tps.word) == (0.15, "same")
    opened = open_study(study_file)
    assert margin_for(opened.study, plan_of(opened), folder) == 0.15
