"""Results that travel as one file are the same results, or a clear error."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from assay.base.errors import ConflictError, InputError
from assay.design.folder import ResultsFolder
from assay.experiments.gate import write_pages
from assay.experiments.lab import judged, open_bundle, results_folder, write_bundle
from assay.testing.results_folder import Truth, make_results
from undrawn import no_pictures

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> tuple[ResultsFolder, Path]:
    place = tmp_path_factory.mktemp("bundled")
    truth = Truth(measure_s=4, warmup_s=1)
    failed = {(2, "innodb_purge_threads=4")}
    folder = make_results(place / "here", effect=1.2, loads=(8,), fail=failed, truth=truth)
    (folder.runs / ".b07-01-x.unfinished" / "rungs").mkdir(parents=True)
    (folder.runs / ".b07-01-x.unfinished" / "my.cnf").write_text("half")
    with judged(folder) as found, no_pictures():
        write_pages(found)
    made = write_bundle(folder.path, place / "away" / "all.assay.tar.gz")
    assert made.runs == 12
    return folder, made.file


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_what_is_unpacked_reports_as_what_was_archived(
    bundled: tuple[ResultsFolder, Path], tmp_path: Path
) -> None:
    folder, file = bundled
    made = open_bundle(file, tmp_path / "there")
    assert made.file == tmp_path / "there"
    there, here = files_of(made.file), files_of(folder.path)
    assert there == {
        name: content
        for name, content in here.items()
        if not name.startswith("store/") and ".unfinished/" not in name and not name.endswith(".lock")
    }
    assert {"study.toml", "plan.json", "report.html"} <= there.keys()
    assert not [path for path in tmp_path.iterdir() if path != made.file]
    with judged(folder) as before, judged(results_folder(made.file)) as after:
        assert before.results == after.results
        assert len(after.results.hypotheses) > 0


def test_its_study_names_the_folder(
    bundled: tuple[ResultsFolder, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = open_bundle(bundled[1])
    assert made.file == Path("results") / made.study
    with pytest.raises(ConflictError, match="exists already"):
        open_bundle(bundled[1])


def test_an_archive_is_not_overwritten(bundled: tuple[ResultsFolder, Path]) -> None:
    before = bundled[1].read_bytes()
    with pytest.raises(ConflictError, match="exists already"):
        write_bundle(bundled[0].path, bundled[1])
    assert bundled[1].read_bytes() == before


def rewritten(source: Path, target: Path, change: dict[str, bytes | None]) -> Path:
    """The archive with some members changed, left out (None) or added."""
    with tarfile.open(source) as old, tarfile.open(target, "w:gz") as new:
        members = {}
        for member in old:
            content = old.extractfile(member)
            assert content is not None
            members[member.name] = content.read()
        for name, text in (members | change).items():
            if text is None:
                continue
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            new.addfile(entry, io.BytesIO(text))
    return target


def test_damage_is_named_and_leaves_nothing(bundled: tuple[ResultsFolder, Path], tmp_path: Path) -> None:
    with tarfile.open(bundled[1]) as archive:
        names = archive.getnames()
    plan = next(name for name in names if name.endswith("/plan.json"))
    listing = next(name for name in names if name.endswith("/bundle.json"))
    study = plan.partition("/")[0]
    later = json.dumps({"format": 99}).encode()
    empty = {"assay": "1", "study": study, "runs": 0, "runs_planned": 0, "created_wall_ns": 0, "files": {}}
    outside = json.dumps(empty | {"study": "../outside"}).encode()
    for number, (change, words) in enumerate(
        (
            ({plan: b"{}"}, "plan.json is not the file that was archived"),
            ({plan: None}, "plan.json is missing"),
            ({f"{study}/extra": b"x"}, "extra is not the file that was archived"),
            ({f"{study}/../../escaped": b"x"}, "is not a file of results"),
            ({listing: None}, "it has no bundle.json"),
            ({listing: later}, "take a later assay"),
            ({listing: outside}, "is not the name of a folder"),
            ({listing: json.dumps(empty).encode()}, "it has no study.toml"),
        )
    ):
        file = rewritten(bundled[1], tmp_path / f"{number}.tar.gz", change)
        with pytest.raises(InputError) as caught:
            open_bundle(file, tmp_path / "opened" / "it")
        assert words in caught.value.message
        assert str(file) in caught.value.message
        assert not list((tmp_path / "opened").iterdir())


@pytest.mark.parametrize("keep", [0, 40, 0.5, 0.999])
def test_a_cut_archive_is_refused(bundled: tuple[ResultsFolder, Path], tmp_path: Path, keep: float) -> None:
    whole = bundled[1].read_bytes()
    cut = tmp_path / "cut.assay.tar.gz"
    cut.write_bytes(whole[: int(keep if keep > 1 else keep * len(whole))])
    with pytest.raises(InputError, match="is damaged"):
        open_bundle(cut, tmp_path / "it")
    assert list(tmp_path.iterdir()) == [cut]


def test_a_missing_archive_and_no_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        open_bundle(tmp_path / "none.tar.gz", tmp_path / "it")
    with pytest.raises(InputError, match="contains no results"):
        write_bundle(tmp_path)


class Pressed:
    """A key that interrupts once so many pieces are handled."""

    def __init__(self, pieces: int) -> None:
        self.left = pieces

    def __call__(self, count: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def test_an_interrupt_leaves_nothing(bundled: tuple[ResultsFolder, Path], tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_bundle(bundled[0].path, tmp_path / "a.tar.gz", Pressed(20))
    with pytest.raises(KeyboardInterrupt):
        open_bundle(bundled[1], tmp_path / "it", Pressed(20))
    assert not list(tmp_path.iterdir())
