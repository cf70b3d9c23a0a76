"""A root with whole, unfinished, broken and foreign folders, made once; and the application over it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from asking import HOSTILE
from assay.front.web import Site, make_app
from assay.front.web.history import histories
from assay.testing.results_folder import STUDY_TOML, TREATMENTS, Truth, make_results
from starlette.applications import Starlette

TRUTH = Truth(measure_s=4, warmup_s=1)
GATES = """
[[gate]]
claim = "p95_ms <= 1000"

[[gate]]
claim = "tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1] >= 0.97"

[[gate]]
claim = "tps[innodb_purge_threads=4]/tps[innodb_purge_threads=1] >= 2"
at = [8]
"""
STUDY = STUDY_TOML.replace("[1, 8, 64]", "[1, 8]") + GATES


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`quick` is whole, `deep/again` a short form of it later, `unfinished` lacks two runs, `hostile` has
    markup wherever a study or a server can put it; `broken`, `cut` and `photos` cannot be read as results.
    """
    place = tmp_path_factory.mktemp("shelf")
    make_results(place / "quick", study_toml=STUDY, loads=(1, 8), effect=1.2, truth=TRUTH)
    short = STUDY.replace("[1, 8]", "[8]").replace("blocks = 6", "blocks = 2")
    short = short.replace(", threads=1]", ", threads=8]")
    make_results(
        place / "deep" / "again", study_toml=short, loads=(8,), blocks=2, effect=1.2, truth=TRUTH, seed=2,
        begun_s=1_760_000_000,
    )  # fmt: skip
    unfinished = make_results(
        place / "unfinished", study_toml=STUDY, loads=(1, 8), truth=TRUTH, seed=3, blocks=6
    )
    for run in sorted(unfinished.runs.iterdir())[-2:]:
        shutil.rmtree(run)
    title = 'title = { en = "Purge threads", zh = "Purge 线程" }'
    assert title in STUDY
    quoted = HOSTILE.replace('"', '\\"')
    make_results(
        place / "hostile <b>",
        study_toml=STUDY.replace(title, f'title = {{ en = "{quoted}" }}').replace("release notes", quoted),
        loads=(8,),
        blocks=1,
        seed=4,
        truth=TRUTH,
        versions=dict.fromkeys(TREATMENTS, HOSTILE),
        host=HOSTILE,
    )
    make_results(place / "broken", study_toml=STUDY, loads=(1,), blocks=1, seed=5, truth=TRUTH)
    (place / "broken" / "study.json").write_text("{")
    make_results(place / "cut", study_toml=STUDY, loads=(1,), blocks=1, seed=6, truth=TRUTH)
    (place / "cut" / "study.toml").write_text("[study")
    (place / "photos").mkdir()
    (place / "photos" / "cat.txt").write_text("no results")
    return place


@pytest.fixture(scope="module", autouse=True)
def patience() -> Iterator[None]:
    """A page waits for a history, however busy the machine of the tests is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(histories, "PATIENCE_S", 120.0)
        yield


@pytest.fixture(scope="session")
def site(root: Path) -> Site:
    """The site over the root, with its catalogue read."""
    made = Site(root, token="the-token")
    made.catalogue.rows(wait_s=None)
    return made


@pytest.fixture(scope="session")
def app(site: Site) -> Starlette:
    return make_app(site)


@pytest.fixture(scope="session")
def run(site: Site, rids: dict[str, str]) -> str:
    """The first run of `quick`."""
    return next(iter(site.opened(rids["quick"]).runs))


@pytest.fixture(scope="session")
def rids(site: Site) -> dict[str, str]:
    """The name of each folder in addresses, by its place."""
    rows, _ = site.catalogue.rows(wait_s=None)
    return {row.place: row.rid for row in rows}
