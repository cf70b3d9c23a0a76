"""Several studies in order: what is complete is left, what cannot run stops nothing else."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from assay.base.errors import InputError, Interrupted
from assay.design.folder import read_entry
from assay.design.study import load_study, study_hash
from assay.experiments.gate import write_pages
from assay.experiments.lab import QueuedStudy, queued_studies, run_studies, write_studies_index
from assay.front.terminal import PlainProgress, console
from assay.measurement.run import RunProgress
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

pytestmark = pytest.mark.usefixtures("undrawn")

QUICK = Truth(measure_s=4, warmup_s=1, samples=False)


def study_file(place: Path, name: str, use: str = "mariadb@10.11") -> Path:
    file = place / f"{name}.toml"
    head = STUDY_TOML[: STUDY_TOML.index("[[factor]]")] + "[design]\nblocks = 1\n"
    text = head.replace('"purge-threads"', f'"{name}"').replace("mariadb@10.11", use)
    file.write_text(text.replace("[1, 8, 64]", "[1]"), encoding="utf-8")
    return file


def complete(file: Path, results: Path) -> None:
    """Results of the study in which every run is over."""
    toml, treatments = file.read_text(encoding="utf-8"), {"default": {}}
    folder = make_results(
        results / file.stem, study_toml=toml, treatments=treatments, blocks=1, loads=(1,), truth=QUICK
    )
    entry = msgspec.structs.replace(read_entry(folder), hash=study_hash(load_study(file)))
    folder.entry.write_bytes(msgspec.json.encode(entry))


def never(one: QueuedStudy) -> RunProgress:
    raise AssertionError(f"{one.name} was begun")


def test_a_complete_study_is_left_as_it_is_but_has_its_pages(tmp_path: Path) -> None:
    file = study_file(tmp_path, "a")
    complete(file, tmp_path / "results")
    (one,) = queued_studies([file], tmp_path / "results")
    assert (one.runs, one.done, one.is_complete, one.refusal) == (1, 1, True, None)
    assert one.seconds_left == 0
    (ended,) = run_studies([one], never, write_pages)
    assert ended.is_whole
    assert ended.outcome is None
    assert ended.page == tmp_path / "results" / "a" / "report.html"
    assert ended.page.is_file()


def test_what_cannot_run_has_its_reason_and_stops_nothing_else(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[study]\nname = 3\n", encoding="utf-8")
    absent = study_file(tmp_path, "absent", use="path:/no/such")
    whole = study_file(tmp_path, "whole")
    complete(whole, tmp_path / "results")
    queued = queued_studies([broken, absent, whole], tmp_path / "results")
    assert [one.name for one in queued] == ["broken", "absent", "whole"]
    assert [one.refusal is not None for one in queued] == [True, True, False]
    assert [one.seconds_left for one in queued] == [0, 0, 0]
    begun: list[str] = []

    def progress(one: QueuedStudy) -> RunProgress:
        begun.append(one.name)
        return PlainProgress(console())

    ended = list(run_studies(queued, progress, write_pages))
    assert [one.is_whole for one in ended] == [False, False, True]
    assert "/no/such" in str(ended[1].error)
    assert begun == ["absent"]
    assert not (tmp_path / "results" / "absent").exists()


def test_results_of_a_scale_lie_in_a_folder_of_its_name(tmp_path: Path) -> None:
    file = study_file(tmp_path, "a")
    with file.open("a", encoding="utf-8") as text:
        text.write('\n[scale.small]\n"load.threads" = [2]\n')
    (one,) = queued_studies([file], tmp_path / "results", "small")
    assert one.folder is not None
    assert one.folder.path == tmp_path / "results" / "small" / "a"
    assert one.opened is not None
    assert one.opened.study.load.threads == (2,)
    with pytest.raises(InputError, match='has no scale "large"; known: small'):
        queued_studies([file], tmp_path / "results", "large")
    without = study_file(tmp_path, "b")
    taken, refused = queued_studies([file, without], tmp_path / "results", "small")
    assert taken.refusal is None
    assert "small" in str(refused.refusal)


def test_a_signal_ends_all_of_them(tmp_path: Path) -> None:
    files = [study_file(tmp_path, name, use="path:/no/such") for name in ("a", "b")]

    def interrupted(one: QueuedStudy) -> RunProgress:
        raise Interrupted(f"Interrupted in {one.name}.")

    ending = run_studies(queued_studies(files, tmp_path / "results"), interrupted, write_pages)
    with pytest.raises(Interrupted, match="in a"):
        next(ending)
    assert list(ending) == []


def test_a_budget_gives_whole_blocks_by_the_forecast(tmp_path: Path) -> None:
    file = study_file(tmp_path, "a")
    file.write_text(file.read_text(encoding="utf-8").replace("blocks = 1", "blocks = 6"), encoding="utf-8")
    (one,) = queued_studies([file], tmp_path / "results")
    assert (one.blocks_planned, one.blocks_done) == (6, 0)
    whole = one.seconds_left
    assert [one.blocks_within(share * whole) for share in (0, 0.1, 0.17, 0.5, 0.99, 1, 9)] == [
        0, 0, 1, 3, 5, 6, 6,
    ]  # fmt: skip
    assert one.with_blocks(2).study.design.blocks == 2
    (ended,) = run_studies([one], never, write_pages, budget_s=0)
    assert (ended.cut_to, ended.is_whole, ended.outcome, ended.page) == (0, False, None, None)


def test_the_index_page_links_reports_and_names_what_stopped_a_study(tmp_path: Path) -> None:
    results = tmp_path / "results"
    broken = tmp_path / "broken.toml"
    broken.write_text("[study]\nname = 3\n", encoding="utf-8")
    whole, waiting = study_file(tmp_path, "whole"), study_file(tmp_path, "waiting")
    complete(whole, results)
    ended = list(
        run_studies(queued_studies([broken, whole, waiting], results), never, write_pages, budget_s=0)
    )
    page = write_studies_index({"en": "One <night>", "zh": "一夜"}, "night", ended, results)
    assert page == results / "index.html"
    text = page.read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
    assert "<h1>One &lt;night&gt;</h1>" in text
    assert "1 of 3 studies are complete." in text
    assert 'href="whole/report.html"' in text
    assert (results / "whole/report.html").is_file()
    assert "study.name: 3 is not a string in quotes" in text
    assert "The time sufficed for 0 of 1 block." in text
    chinese = (results / "index.zh.html").read_text(encoding="utf-8")
    chinese = chinese.replace("\N{NO-BREAK SPACE}", " ")
    assert "<h1>一夜</h1>" in chinese
    assert 'href="whole/report.zh.html"' in chinese
    assert "3 个研究中已完成 1 个" in chinese
    assert "时间只够完成 1 个区组中的 0 个" in chinese


def test_a_server_of_the_catalogue_is_fetched_before_its_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    known, unknown = study_file(tmp_path, "known", "mysql@5.5.9"), study_file(tmp_path, "no", "mysql@5.0")
    first, second = queued_studies([known, unknown], tmp_path / "results")
    assert (first.fetches, first.refusal) == (("mysql@5.5.9",), None)
    assert first.seconds_left > 0
    assert second.fetches == ()
    assert second.refusal is not None
