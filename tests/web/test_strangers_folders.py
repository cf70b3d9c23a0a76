"""Results folders of strangers: links, pipes, sizes and values at every path. Nothing outside is read or
changed, nothing waits, and the list has a row for each with its reason.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asking import ask
from assay.design.folder import ResultsFolder
from assay.front.web import Site, make_app
from assay.front.web.archive.rows import read_rows
from assay.reporting.report.write import _put
from assay.testing.results_folder import Truth, make_results

pytestmark = pytest.mark.usefixtures("undrawn")

SECRET = "TOP-SECRET-LINE"
RUN = "runs/b01-01-default"
RUNG = f"{RUN}/rungs/01-threads-1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    truth = Truth(measure_s=2, warmup_s=1)
    place = tmp_path_factory.mktemp("made") / "made"
    return make_results(place, blocks=1, loads=(1,), truth=truth, treatments={"default": {}}).path


@pytest.fixture(autouse=True)
def within_time() -> Iterator[None]:
    """Ends a test that waits for a pipe."""
    signal.alarm(120)
    yield
    signal.alarm(0)


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    place = tmp_path / "elsewhere"
    (place / "rungs").mkdir(parents=True)
    (place / "secret").write_text(f"{SECRET}\n")
    (place / "tables").mkdir()
    (place / "tables/doc.csv").write_text(f"{SECRET}\n")
    return place


def contents(place: Path) -> dict[str, bytes]:
    return {str(one.relative_to(place)): one.read_bytes() for one in place.rglob("*") if one.is_file()}


def link(path: Path, victim: Path) -> None:
    path.symlink_to(victim / "secret")


def link_to_a_folder(path: Path, victim: Path) -> None:
    path.symlink_to(victim)


def pipe(path: Path, victim: Path) -> None:
    os.mkfifo(path)


def device(path: Path, victim: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path, victim: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 42)


def deep(path: Path, victim: Path) -> None:
    path.write_bytes(b'{"a":' + b"[" * 100_000 + b"\n")


def digits(path: Path, victim: Path) -> None:
    path.write_bytes(b'{"created_wall_ns":' + b"9" * 5000 + b"}\n")


def no_text(path: Path, victim: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00{}\n")


PLANTS: list[Callable[[Path, Path], None]] = [
    link,
    link_to_a_folder,
    pipe,
    device,
    huge,
    deep,
    digits,
    no_text,
]


@pytest.mark.long
def test_whatever_lies_at_a_path_the_list_has_a_row(made: Path, tmp_path: Path, victim: Path) -> None:
    """Each path has another plant, in its turn; over all paths each kind of file has met links and pipes."""
    files = sorted(str(one.relative_to(made)) for one in made.rglob("*") if one.is_file())
    files = [name for name in files if "facts/" not in name and "samples/" not in name]
    files += [f"{RUN}/facts/host-before.json", f"{RUN}/samples/status.jsonl"]
    files += ["looks.json", "live.jsonl", ".store.lock", "store"]
    files += [f"{RUNG}/found.json", "runs", RUN, RUNG]
    before = contents(victim)
    for number, name in enumerate(files):
        place = tmp_path / "planted"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(made, place)
        target = place / name
        if target.is_dir():
            shutil.rmtree(target)
        target.unlink(missing_ok=True)
        PLANTS[number % len(PLANTS)](target, victim)
        row, _ = read_rows(place, "planted", "")
        assert row.state in ("whole", "part", "broken"), name
        assert "Error: " not in row.reason, f"{name}: {row.reason}"
        assert contents(victim) == before, name


def _changed(file: Path, **values: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


def test_pages_of_strangers_folders_never_fail(made: Path, tmp_path: Path, victim: Path) -> None:
    root = tmp_path / "root"
    names = ("links", "log-pipe", "rung-elsewhere", "huge-moment", "deep-plan", "odd-events", "whole")
    for name in names:
        shutil.copytree(made, root / name)
        _changed(root / name / "study.json", name=name)
    for name, plant in (("links", link), ("log-pipe", pipe)):
        (root / name / RUN / "server.log").unlink()
        plant(root / name / RUN / "server.log", victim)
    shutil.copytree(made / RUNG, tmp_path / "outside")
    manifest = json.loads((made / RUN / "run.json").read_text())
    rung = manifest["rungs"][0] | {"dir": "../../../../outside"}
    _changed(root / "rung-elsewhere" / RUN / "run.json", rungs=[rung], files={})
    _changed(root / "huge-moment/study.json", created_wall_ns=int("9" * 400))
    deep(root / "deep-plan/plan.json", victim)
    with (root / "odd-events" / RUNG / "events.jsonl").open("ab") as out:
        out.write(b'\xff\n{"event":"interval"}\n' + b"[" * 100_000 + b"\n")
    (root / "links" / RUNG / "job.json").unlink()
    link(root / "links" / RUNG / "job.json", victim)
    before = contents(tmp_path / "elsewhere")
    site = Site(root)
    app = make_app(site)
    rows, waiting = site.catalogue.rows(wait_s=None)
    assert (len(rows), waiting) == (len(names), 0)
    broken = {row.place for row in rows if row.state == "broken"}
    assert {"rung-elsewhere", "huge-moment", "deep-plan"} <= broken
    assert {"whole", "log-pipe"} & broken == set()
    assert all(row.reason for row in rows if row.state == "broken")
    run = "run/b01-01-default"
    ends = {"links": [run, f"{run}/1"], "log-pipe": [run], "whole": [f"{run}/1/events"]}
    pages = ["/en/", "/zh/", "/feed.atom", *(f"/en/r/{row.rid}" for row in rows)]
    pages += [f"/en/r/{row.rid}/{end}" for row in rows for end in ends.get(row.place, [])]
    for page in pages:
        answer = ask(app, page)
        assert answer.status != 500, page
        assert SECRET not in answer.text, page
    assert ask(app, "/en/").status == 200
    assert contents(tmp_path / "elsewhere") == before


def test_a_report_writes_and_removes_beneath_its_folder_alone(tmp_path: Path, victim: Path) -> None:
    made = {"report.html": b"page", "tables/a.csv": b"new", "charts/a.svg": b"new"}
    before = contents(victim)
    for name in (".report.html.part", "report.html", "charts/a.svg"):
        place = tmp_path / name.replace("/", "-")
        (place / "charts").mkdir(parents=True)
        (place / name).symlink_to(victim / "secret")
        listed = [
            "tables/doc.csv",
            "../elsewhere/secret",
            "tables/../../elsewhere/secret",
            "/etc/hostname",
            "a\0b",
        ]
        (place / ".report.files").write_text("\n".join(listed))
        _put(place, made)
        assert (place / "report.html").read_bytes() == b"page"
        assert not (place / "report.html").is_symlink()
        assert contents(victim) == before
    place = tmp_path / "linked"
    place.mkdir()
    (place / "tables").symlink_to(victim / "tables")
    (place / ".report.files").write_text("tables/doc.csv\n")
    with pytest.raises(OSError, match="symbolic link"):
        _put(place, made)
    assert contents(victim) == before


def test_a_results_folder_in_use_writes_through_no_link(made: Path, tmp_path: Path, victim: Path) -> None:
    from assay.design.folder import change_looks
    from assay.design.folder.control import Control
    from assay.design.folder.control import ask as ask_lab
    from assay.design.folder.looks import Looks
    from assay.reporting.live.notes import add_note, read_notes

    place = tmp_path / "used"
    shutil.copytree(made, place)
    for name in ("looks.json", "control.json", ".looks.json.part", "viewers"):
        (place / name).symlink_to(victim / "secret")
    before = contents(victim)
    folder = ResultsFolder(place)
    ask_lab(folder, Control(request="stop", pid=1, start_ticks=1, at_wall_ns=1))
    (place / "looks.json").unlink()
    change_looks(folder, lambda _: Looks(confidence=0.95))
    (place / "notes.jsonl").symlink_to(victim / "secret")
    with pytest.raises(OSError, match="symbolic link"):
        add_note(folder, "a note", author="me")
    assert read_notes(folder) == []
    (place / ".notes.lock").unlink()
    (place / ".notes.lock").symlink_to(victim / "new")
    with pytest.raises(OSError, match=r"\w"):
        add_note(folder, "a note", author="me")
    assert contents(victim) == before
