"""Several studies in order: what is complete is left, what cannot run stops nothing else."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from assay.errors import Interrupted
from assay.folder import read_entry
from assay.lab import QueuedStudy, queued_studies, run_studies
from assay.run import RunProgress
from assay.study import load_study, study_hash
from assay.terminal import PlainProgress, console
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

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
    (ended,) = run_studies([one], never)
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

    ended = list(run_studies(queued, progress))
    assert [one.is_whole for one in ended] == [False, False, True]
    assert "/no/such" in str(ended[1].error)
    assert begun == ["absent"]
    assert not (tmp_path / "results" / "absent").exists()


def test_results_of_a_profile_lie_in_a_folder_of_its_name(tmp_path: Path) -> None:
    file = study_file(tmp_path, "a")
    with file.open("a", encoding="utf-8") as text:
        text.write('\n[profile.small]\n"load.threads" = [2]\n')
    (one,) = queued_studies([file], tmp_path / "results", "small")
    assert one.folder is not None
    assert one.folder.path == tmp_path / "results" / "small" / "a"
    assert one.opened is not None
    assert one.opened.study.load.threads == (2,)
    (other,) = queued_studies([file], tmp_path / "results", "large")
    assert 'has no profile "large"; known: small' in str(other.refusal)


def test_a_signal_ends_all_of_them(tmp_path: Path) -> None:
    files = [study_file(tmp_path, name, use="path:/no/such") for name in ("a", "b")]

    def interrupted(one: QueuedStudy) -> RunProgress:
        raise Interrupted(f"Interrupted in {one.name}.")

    ending = run_studies(queued_studies(files, tmp_path / "results"), interrupted)
    with pytest.raises(Interrupted, match="in a"):
        next(ending)
    assert list(ending) == []
