"""The pages as files: complete, with links that lead from file to file."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest
from asking import Seen
from assay.base.errors import ConflictError
from assay.front.web import build_site
from assay.front.web.static_site import file_of
from assay.testing.results_folder import STUDY_TOML, TREATMENTS, Truth, make_results

TRUTH = Truth(measure_s=2, warmup_s=1, samples=False)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One result with one treatment, beside a folder that cannot be read."""
    root = tmp_path_factory.mktemp("root")
    one = dict(list(TREATMENTS.items())[:1])
    study = STUDY_TOML.replace("[1, 8, 64]", "[8]").partition("[[hypothesis]]")[0]
    make_results(root / "one", study_toml=study, treatments=one, loads=(8,), blocks=1, truth=TRUTH)
    (root / "broken").mkdir()
    (root / "broken" / "study.json").write_text("{")
    return root


@pytest.fixture(scope="module")
def built(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site down to the engine's events."""
    folder = tmp_path_factory.mktemp("site") / "public"
    found = build_site(small, folder, depth="events")
    assert found.page.is_file()
    assert found.files == sum(path.is_file() for path in folder.rglob("*")) - 1  # the list itself
    return folder


@pytest.fixture(scope="module")
def answers(small: Path, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site to the depth that is usual, with pictures that were drawn for the other."""
    folder = tmp_path_factory.mktemp("answers") / "public"
    build_site(small, folder)
    return folder


def test_the_usual_site_has_answers_and_nothing_twice(built: Path, answers: Path) -> None:
    """No numbers, runs and events, no picture or table beside the page that has it, no script of a server."""
    files = [path.relative_to(answers).as_posix() for path in answers.rglob("*") if path.is_file()]
    ours = [name for name in files if name.startswith("en/r/")]
    assert [name.endswith(".html") for name in ours] == [True]
    assert not [name for name in files if name.startswith("assets/live")]
    assert not [name for name in files if name.endswith((".svg", ".csv", ".json")) and "icon" not in name]
    size = sum((answers / name).stat().st_size for name in files)
    assert size < 2_000_000
    assert size < 0.5 * sum(path.stat().st_size for path in built.rglob("*") if path.is_file())


@pytest.mark.parametrize("depth", ["answers", "events"])
def test_every_link_of_every_file_leads_to_a_file(depth: str, request: pytest.FixtureRequest) -> None:
    built: Path = request.getfixturevalue("answers" if depth == "answers" else "built")
    pages = list(built.rglob("*.html"))
    assert len(pages) > 8
    for page in pages:
        seen = Seen(page.read_text(encoding="utf-8"))
        for link in seen.links:
            path, _, place = unquote(link).partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.is_relative_to(built.resolve()), (page, link)
            assert target.is_file(), (page, link)
            if place and target.suffix == ".html" and target != page:
                assert f'id="{place}"' in target.read_text(encoding="utf-8"), (page, link)


def test_nothing_asks_a_server(built: Path) -> None:
    for page in built.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<form class" not in text, page
        assert "data-server" not in text, page


def test_both_languages_and_all_forms_are_there(built: Path) -> None:
    for language in ("en", "zh"):
        assert (built / language / "index.html").is_file()
        assert list((built / language / "r").glob("*/n/*/8/tps.html"))
        assert list((built / language / "r").glob("*/n/*/8/tps.csv"))
        assert list((built / language / "r").glob("*/run/*/1/events*.html"))
    assert (built / "assets" / "style.css").stat().st_size < 120_000


def test_a_second_build_replaces_the_first_and_nothing_else(built: Path, tmp_path: Path) -> None:
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / "own.txt").write_text("somebody's")
    with pytest.raises(ConflictError):
        build_site(tmp_path / "empty", folder)
    (tmp_path / "empty").mkdir()
    (folder / "own.txt").unlink()
    build_site(tmp_path / "empty", folder)
    listed = folder / ".assay-site"
    (folder / "old.html").write_text("")
    listed.write_text(listed.read_text() + "old.html\n../outside\n")
    (tmp_path / "outside").write_text("somebody's")
    build_site(tmp_path / "empty", folder)
    assert not (folder / "old.html").exists()
    assert (tmp_path / "outside").exists()


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("/en/", "en/index.html"),
        ("/en/r/x~12", "en/r/x~12.html"),
        ("/en/r/x~12.json", "en/r/x~12.json"),
        ("/en/r/x~12.2", "en/r/x~12.2.html"),
        ("/assets/style.css", "assets/style.css"),
        ("/en/history/feed.atom", "en/history/feed.atom"),
    ],
)
def test_addresses_have_files(address: str, file: str) -> None:
    assert file_of(address) == file


def test_files_of_hostile_parts_stay_inside_and_apart() -> None:
    names = [
        file_of(f"/en/r/x/n/{part}/8/tps")
        for part in ("..", "a b", "a%20b", "a-b", "%00", "x" * 300, "x" * 299 + "y", "a%3Fb", "a%23b")
    ]
    assert not [name for name in names if ".." in name.split("/") or "\0" in name]
    assert all(len(part) <= 120 for name in names for part in name.split("/"))
    assert len(set(names)) == len(names) - 1  # a blank has two spellings
