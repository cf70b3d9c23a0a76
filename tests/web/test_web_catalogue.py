"""The catalogue reads what changed, and nothing else."""

from __future__ import annotations

import csv
import json
import shutil
import threading
from pathlib import Path

import pytest
from asking import Seen, ask
from assay.design.folder import ResultsFolder, read_looks
from assay.experiments.gate import gate_of_judged
from assay.experiments.lab import judged
from assay.front.web import Site, make_app
from assay.front.web.archive import catalogue
from assay.front.web.archive.catalogue import FOLDER, Catalogue
from assay.front.web.archive.rows import read_rows
from assay.front.web.live.watching import OneStudy
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

MANY = 1000


def _begun(place: Path, number: int) -> None:
    """A results folder before its first run: the cheapest there is."""
    place.mkdir(parents=True)
    entry = {
        "format": 1, "name": f"study-{number}", "hash": "ab" * 32, "seed": number,
        "created_wall_ns": 1_700_000_000_000_000_000 + number, "assay": "0.1.0",
    }  # fmt: skip
    (place / "study.json").write_text(json.dumps(entry))
    (place / "study.toml").write_text(STUDY_TOML)
    (place / "plan.json").write_text('{"runs": []}')


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The places that are read from now on."""
    places: list[str] = []
    original = read_rows

    def watched(path: Path, place: str, stamp: str) -> object:
        places.append(place)
        return original(path, place, stamp)

    monkeypatch.setattr(catalogue, "read_rows", watched)
    return places


def test_a_thousand_results_are_read_once(tmp_path: Path, read: list[str]) -> None:
    for number in range(MANY):
        _begun(tmp_path / f"{number % 10}" / f"{number}", number)
    rows, waiting = Catalogue(tmp_path).rows(wait_s=None)
    assert (len(rows), waiting, len(read)) == (MANY, 0, MANY)
    assert rows[0].study == f"study-{MANY - 1}"

    read.clear()
    site = Site(tmp_path)  # as after a restart
    answer = ask(make_app(site), "/en/")
    assert f"{MANY} of {MANY} folders" in answer.text
    assert read == []

    (tmp_path / "3" / "3" / "study.toml").write_text(STUDY_TOML + "\n")
    site.catalogue.rows(wait_s=None)
    assert read == ["3/3"]


def test_what_is_gone_leaves_and_copies_have_names_of_their_own(tmp_path: Path) -> None:
    for place in ("one", "two"):
        _begun(tmp_path / place, 1)
    found = Catalogue(tmp_path)
    names = [row.rid for row in found.rows(wait_s=None)[0]]
    assert len(set(names)) == 2
    assert names[1] == f"{names[0]}.2"
    for file in (tmp_path / "two").iterdir():
        file.unlink()
    (tmp_path / "two").rmdir()
    assert [row.rid for row in found.rows(wait_s=None)[0]] == names[:1]


def test_results_that_are_still_being_read_are_not_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says so and loads itself again; the page of the one study that runs waits."""
    _begun(tmp_path / "one", 1)
    rid = Catalogue(tmp_path).rows(wait_s=None)[0][0].rid
    shutil.rmtree(tmp_path / FOLDER)
    free = threading.Event()

    def held(path: Path, place: str, stamp: str) -> object:
        assert free.wait(180)
        return read_rows(path, place, stamp)

    monkeypatch.setattr(catalogue, "read_rows", held)
    monkeypatch.setattr(Catalogue, "for_one_s", 0.05)
    site, study = Site(tmp_path), OneStudy(tmp_path / "one")
    answer = ask(make_app(site), f"/en/r/{rid}")
    assert answer.status == 503
    assert "data-again" in answer.text
    assert f"1 folder is still to be read; {rid} may be there." in answer.text
    assert f"还有 1 个目录尚未读取，其中可能有 {rid}。" in ask(make_app(site), f"/zh/r/{rid}").text
    threading.Timer(0.5, free.set).start()
    assert study.catalogue.row(rid).rid == rid
    site.catalogue.rows(wait_s=None)
    assert ask(make_app(site), f"/en/r/{rid}").status == 422  # read: no run has finished
    nothing = ask(make_app(site), "/en/r/nothing")
    assert (nothing.status, "No results have the name nothing." in nothing.text) == (404, True)
    assert "没有名为 nothing 的结果。" in ask(make_app(site), "/zh/r/nothing").text


def test_a_new_run_is_seen(tmp_path: Path) -> None:
    truth = Truth(measure_s=2, warmup_s=1, samples=False)
    folder = make_results(tmp_path / "one", loads=(8,), blocks=2, truth=truth)
    moved = tmp_path / "aside"
    last = sorted(folder.runs.iterdir())[-1]
    last.rename(moved)
    site = Site(tmp_path)
    (row,) = [row for row in site.catalogue.rows(wait_s=None)[0] if row.is_readable]
    assert (row.state, row.runs, row.runs_planned) == ("part", 3, 4)
    before = site.opened(row.rid)
    assert before.is_interim
    moved.rename(last)
    after = site.opened(row.rid)
    assert not after.is_interim
    assert len(after.runs) == 4


def test_what_was_read_is_read_from_the_catalogue(root: Path) -> None:
    before = Catalogue(root)  # others, which share the folders, may have changed some of them
    rows, _ = before.rows(wait_s=None)
    again = Catalogue(root)
    assert (again.rows(wait_s=0)[0], len(rows)) == (rows, 7)
    assert sorted(map(str, again.measures())) == sorted(map(str, before.measures()))


@pytest.mark.parametrize("content", [b"", b"x\x9c", b"no catalogue at all"])
def test_a_damaged_catalogue_is_made_again(tmp_path: Path, content: bytes) -> None:
    _begun(tmp_path / "one", 1)
    assert len(Catalogue(tmp_path).rows(wait_s=None)[0]) == 1
    (tmp_path / ".catalogue" / "results").write_bytes(content)
    assert len(Catalogue(tmp_path).rows(wait_s=None)[0]) == 1


def test_an_empty_root_is_an_empty_list(tmp_path: Path) -> None:
    assert Catalogue(tmp_path).rows(wait_s=None) == ([], 0)
    assert "There are no results here yet" in ask(make_app(Site(tmp_path)), "/en/").text
    assert ask(make_app(Site(tmp_path)), "/en/history").status == 200


def test_a_root_may_be_one_results_folder(tmp_path: Path) -> None:
    _begun(tmp_path / "one", 1)
    (row,) = Catalogue(tmp_path / "one").rows(wait_s=None)[0]
    assert row.place == "."


def test_a_name_that_is_no_text_is_a_row(tmp_path: Path) -> None:
    import os

    name = os.fsdecode(b"caf\xe9")
    _begun(tmp_path / name, 1)
    answer = ask(make_app(Site(tmp_path)), "/en/")
    assert answer.status == 200
    assert r"caf\udce9" in answer.text


@pytest.mark.long
def test_the_list_has_the_outcome_of_gates_and_takes_no_look(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "quick", tmp_path / "quick", ignore=shutil.ignore_patterns("looks.json", "store"))
    shutil.copytree(root / "unfinished", tmp_path / "unfinished")
    bare = (root / "quick" / "study.toml").read_text().partition("[[gate]]")[0]
    truth = Truth(measure_s=4, warmup_s=1)
    make_results(tmp_path / "bare", study_toml=bare, loads=(8,), blocks=1, truth=truth)
    site = Site(tmp_path)

    def gates() -> dict[str, str]:
        rows, _ = site.catalogue.rows(wait_s=None)
        return {row.place: row.gate for row in rows}

    assert gates() == {"quick": "none", "unfinished": "none", "bare": ""}
    folder = ResultsFolder(tmp_path / "quick")
    assert read_looks(folder) is None
    with judged(folder) as found:
        gated = gate_of_judged(found)
    assert gated is not None
    assert gated.outcome == "failed"
    assert gates() == {"quick": "failed", "unfinished": "none", "bare": ""}
    looks = read_looks(folder)
    assert looks is not None
    assert len(looks.seen) == 1
    before, site = gates(), Site(tmp_path)
    assert gates() == before  # as the Parquet file has it


@pytest.mark.long
def test_the_outcome_of_gates_is_one_on_the_page_and_in_its_twins(root: Path, tmp_path: Path) -> None:
    for name in ("quick", "unfinished"):
        shutil.copytree(root / name, tmp_path / name)
    with judged(ResultsFolder(tmp_path / "quick")):
        pass  # somebody has looked
    site = Site(tmp_path)
    site.catalogue.rows(wait_s=None)
    app = make_app(site)
    for query, outcomes in (("", ["failed", "none"]), ("gate=failed", ["failed"]), ("gate=none", ["none"])):
        rows = ask(app, f"/en/results.json?{query}").json()["results"]
        assert sorted(row["gate"] for row in rows) == outcomes
        lines = csv.DictReader(ask(app, f"/en/results.csv?{query}").text.splitlines())
        assert [line["gate"] for line in lines] == [row["gate"] for row in rows]
        for language, words in (("en", ("failed", "not judged yet")), ("zh", ("失败", "尚未裁决"))):
            page = Seen(ask(app, f"/{language}/?{query}").text)
            said = dict(zip(("failed", "none"), words, strict=True))
            cells = [row[7] for row in page.tables[""][1:]]
            assert len(cells) == len(rows)
            assert all(said[row["gate"]] in cell.text for row, cell in zip(rows, cells, strict=True))
            assert [cell.links for cell in cells] == [[f"/{language}/gate/{row['rid']}"] for row in rows]
