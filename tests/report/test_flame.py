"""The flame graph of differences: frames of planted runs, the picture, and the page that can be searched."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from assay.design.folder import ResultsFolder
from assay.design.study import load_study
from assay.reporting.report.charts import flame
from assay.reporting.report.charts.sentences import sentence
from assay.reporting.report.flame_page import flame_page
from assay.reporting.report.material import Material
from assay.reporting.report.records.flame import flame_frames, nearest_name
from assay.reporting.report.tables import watched
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.ledger import UNNAMED, group_names
from assay.results.store import open_store
from assay.results.verdict import judge
from assay.testing.contracts import ChartContract
from assay.testing.planted import PlantedLedger, Rows, ledger_rows, write_store
from assay.testing.results_folder import FACTOR, STUDY_TOML

TREATMENTS = [((FACTOR, "1"),), ((FACTOR, "4"),)]
CALLS: list[tuple[str | None, str, str, tuple[float, float]]] = [
    (None, "", "row-read", (100.0, 106.0)),
    ("", "dispatch_command", "row-read", (95.0, 101.0)),
    ("dispatch_command", "MYSQLparse", "parse", (30.0, 30.0)),
    ("dispatch_command", "handler::ha_rnd_next", "row-read", (60.0, 66.0)),
    ("handler::ha_rnd_next", "row_search_mvcc", "row-read", (40.0, 46.0)),
    ("handler::ha_rnd_next", "</script>", "row-read", (0.05, 0.05)),
    ("", "[thread]", "unnamed", (4.0, 4.0)),
]


def planted_rows() -> Rows:
    """Returns eight blocks of two treatments with the call tree above, and what their sources read."""
    rows = ledger_rows(TREATMENTS, [PlantedLedger({("row-read", ""): (100.0, 106.0)}, total_sd=0.001)])
    random = np.random.default_rng(7)
    numbers = {name: number for number, (_, name, _, _) in enumerate(CALLS)}
    rows["profile_frames"], rows["profile_sources"] = [], []
    for run in rows["runs"]:
        where = {**{key: run[key] for key in ("run_id", "treatment", "block")}, "rung": 1, "load": 8.0}
        of = int("4" in str(run["treatment"]))
        for parent, name, group, amounts in CALLS:
            amount = amounts[of] * float(np.exp(random.normal(0, 0.003)))
            frame = {"node": numbers[name], "name": name, "group": group, "amount": amount}
            rows["profile_frames"].append(
                {**where, **frame, "parent": None if parent is None else numbers[parent]}
            )
        pct = 96.0 + float(random.normal(0, 0.5))
        rows["measures"].append({**where, "measure": "watched_tps_pct", "unit": "%", "value": pct})
        if run["block"] == 1:
            seen = ("missing", None, "perf is not installed"), ("remedy", None, "install it")
        else:
            seen = ("samples", 900.0, None), ("lost", 2.0, None)
        rows["profile_sources"] += [
            {**where, "source": "stacks", "name": name, "value": value, "text": text}
            for name, value, text in seen
        ]
    return rows


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    file = tmp_path_factory.mktemp("study") / "study.toml"
    text = STUDY_TOML.replace("threads = [1, 8, 64]", "threads = [8]").replace("blocks = 6", "blocks = 8")
    file.write_text(text.partition("[[hypothesis]]")[0], encoding="utf-8")
    study, folder = load_study(file), ResultsFolder(tmp_path_factory.mktemp("results"))
    write_store(planted_rows(), folder)
    store = open_store(folder)
    return Material(study, judge(study, store), store, load_words("en"))


def test_what_was_planted_is_certain_and_boxes_lie_within_their_callers(material: Material) -> None:
    frames = {one.name: one for one in flame_frames(material)}
    assert {one.word for one in frames.values() if one.group != "row-read"} == {"undecided"}
    grown = frames["row_search_mvcc"]
    assert (grown.word, grown.change_us) == ("more", pytest.approx(6.0, abs=0.5))
    assert grown.low_us is not None
    assert grown.low_us < 6 < (grown.high_us or 0)
    assert "</script>" not in frames  # a thousandth of the whole has no box
    whole = frames[""]
    assert (whole.start_us, whole.end_us) == (0.0, pytest.approx(103.0, abs=0.5))
    for one in frames.values():
        assert one.end_us - one.start_us == pytest.approx((one.before_us + one.after_us) / 2)
        for caller in frames.values():
            if one.calls.split(";")[-1] == caller.name and one.depth == caller.depth + 1:
                assert caller.start_us <= one.start_us
                assert one.end_us <= caller.end_us + 1e-9 or caller.name == ""
    sisters = sorted((one for one in frames.values() if one.depth == 1), key=lambda one: one.start_us)
    assert sisters[0].end_us <= sisters[1].start_us + 1e-9


def test_the_picture_has_the_runs_of_the_ledger(material: Material) -> None:
    """What the ledger leaves out is in no frame, and its units are the frames' units."""
    (shift,) = (one for one in material.results.ledgers if one.ledger == "cpu")
    assert len(shift.runs) == 8
    paired = [replace(one, load=number // 2) for number, one in enumerate(shift.runs)]
    few = replace(shift, runs=tuple(paired[:6]), loads=3, needed=9)
    results = replace(material.results, ledgers=(few,))
    frames = {one.name: one for one in flame_frames(replace(material, results=results))}
    assert {one.word for one in frames.values()} == {"undecided"}  # three of the nine that a verdict needs
    runs = [one.before for one in few.runs]
    (mean,) = material.rows(
        "SELECT avg(amount) AS mean FROM profile_frames WHERE name = 'MYSQLparse'"
        " AND list_contains(?, run_id)",
        [runs],
    )
    assert frames["MYSQLparse"].before_us == pytest.approx(mean["mean"])


def test_boxes_are_at_one_speed_of_the_machine_where_lines_are(material: Material) -> None:
    """What only a slow machine made dearer differs no more, and the caption says what was done."""
    (shift,) = (one for one in material.results.ledgers if one.ledger == "cpu")
    halved = replace(shift, runs=tuple(replace(one, speeds=(1.0, 100 / 106)) for one in shift.runs))
    shown = replace(material, results=replace(material.results, ledgers=(halved,)))
    before, after = ({one.name: one for one in flame_frames(of)} for of in (material, shown))
    assert after["row_search_mvcc"].before_us == before["row_search_mvcc"].before_us
    assert after["row_search_mvcc"].after_us == pytest.approx(before["row_search_mvcc"].after_us * 100 / 106)
    assert before[""].change_us > 6 > 0.5 > abs(after[""].change_us)
    said = [chart.caption for chart in map(flame.draw, (material, shown)) if chart]
    assert ["speed of the machine" in one for one in said] == [False, True]


@pytest.mark.parametrize(
    ("name", "calls", "told"),
    [
        ("row_search_mvcc", "main;a", "row_search_mvcc"),
        ("mariadbd+0xd3ea10", "main;ha_index_read;mariadbd+0x10", "mariadbd+0xd3ea10 below ha_index_read"),
        ("mariadbd+0xd3ea10", "", "mariadbd+0xd3ea10"),
    ],
)
def test_a_function_without_a_symbol_is_told_with_its_caller(
    material: Material, name: str, calls: str, told: str
) -> None:
    frame = flame_frames(material)[-1]
    assert nearest_name(replace(frame, name=name, calls=calls)) == told


class TestFlame(ChartContract):
    @pytest.fixture
    def draw(self) -> object:
        return flame.draw

    @pytest.fixture
    def shapes(self, material: Material) -> list[Material]:
        return [replace(material, words=load_words(language)) for language in LANGUAGES]


def test_the_sentence_names_the_function_and_the_table_what_was_missing(material: Material) -> None:
    chart = flame.draw(material)
    assert chart is not None
    assert re.search(
        r"row_search_mvcc differs by \+[56]\.\d.* µs of server CPU per query", sentence(material, chart)
    )
    (table,) = watched.tables(material)
    assert table.rows == (("stacks", "14 / 16", 28.0, "perf is not installed", "install it", "–"),)


def test_a_load_that_watching_has_changed_is_doubted(material: Material) -> None:
    found = [note for note in material.results.doubts if note.kind == "profile-effect"]
    assert len(found) == 2
    assert "96" in found[0].message


def test_the_page_has_all_boxes_and_nothing_ends_its_data(material: Material) -> None:
    page = flame_page(material)
    assert page is not None
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    (pair,) = json.loads(data[1])["pairs"]
    assert [one["name"] for one in pair["frames"] if one["word"] == "more"][-1] == "row_search_mvcc"
    assert page.count("</script>") == 2
    assert "http" not in page


def test_every_group_of_functions_has_a_name_in_each_language(material: Material) -> None:
    for language in LANGUAGES:
        words = load_words(language)
        names = [words(f"ledger.group.{group}") for group in (*group_names(), UNNAMED)]
        assert len(set(names)) == len(names)
