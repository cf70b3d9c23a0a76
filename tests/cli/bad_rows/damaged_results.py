"""Results folders that have lost something: read by `report`, `plan` and `run`."""

# ruff: noqa: E501 (one row a line)

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from bad_rows.row import Place, Row, row

Damage = Callable[[Path], None]
NOISE = b"\x00\xff\x93noise" * 20


def _run(results: Path) -> Path:
    return sorted(path for path in (results / "runs").iterdir() if not path.name.startswith("."))[0]


def _emptied(name: str) -> Damage:
    return lambda results: _file(results, name).write_bytes(b"") and None


def _noise(name: str) -> Damage:
    return lambda results: _file(results, name).write_bytes(NOISE) and None


def _json(name: str, text: str) -> Damage:
    return lambda results: _file(results, name).write_text(text) and None


def _gone(name: str) -> Damage:
    def damage(results: Path) -> None:
        path = _file(results, name)
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return damage


def _folder(name: str) -> Damage:
    def damage(results: Path) -> None:
        path = _file(results, name)
        path.unlink(missing_ok=True)
        path.mkdir()

    return damage


def _cut(name: str) -> Damage:
    def damage(results: Path) -> None:
        path = _file(results, name)
        path.write_bytes(path.read_bytes()[:-100])

    return damage


def _file(results: Path, name: str) -> Path:
    """`RUN/…` is in the first run; a pattern names the first file that fits."""
    place = _run(results) if name.startswith("RUN/") else results
    name = name.removeprefix("RUN/")
    return sorted(place.glob(name))[0] if "*" in name else place / name


def _damaged(
    name: str, damage: Damage, code: int, *words: str, does: str = "report r", store: bool = False
) -> Row:
    """Without the store of the time before, unless it is to stay."""

    def before(place: Place) -> None:
        shutil.copytree(place.results, place.folder / "r")
        shutil.copy(place.results.parent / "shared.toml", place.folder / "shared.toml")
        if not store:
            shutil.rmtree(place.folder / "r/store")
        damage(place.folder / "r")

    return row(f"damaged-{name}", does, code, *words, before=before)


ONE = "report r --language en"
SHOW = "show r --json"  # which says what a report says, without its pages
PLAN = "plan shared.toml --results r"
RUN = "run shared.toml --results r"

ROWS: list[Row] = [
    *(
        _damaged(f"folder-{name}", _folder(name), 2, f"cannot use r/{name}: is a directory", "move away what is there")
        for name in (".store.lock", ".report.lock")
    ),
    _damaged("entry-gone", _gone("study.json"), 2, "study.json"),
    _damaged("entry-empty", _emptied("study.json"), 2, "study.json"),
    _damaged("entry-noise", _noise("study.json"), 2, "study.json"),
    _damaged("entry-null", _json("study.json", "null"), 2, "study.json"),
    _damaged("entry-list", _json("study.json", "[1, 2]"), 2, "study.json"),
    _damaged("entry-empty-plan", _emptied("study.json"), 2, "study.json", does=PLAN),
    _damaged("entry-empty-run", _emptied("study.json"), 2, "study.json", does=RUN),
    _damaged("entry-noise-plan", _noise("study.json"), 2, "study.json", does=PLAN),
    _damaged("entry-gone-run", _gone("study.json"), 7, "r is not empty and contains no results of a study", does=RUN),
    _damaged("entry-gone-show", _gone("study.json"), 2, "study.json is missing", "restore the file", does="show r"),
    _damaged("plan-noise-show", _noise("plan.json"), 2, "plan.json", "restore the file", does="show r --json"),
    _damaged("manifest-empty-show", _emptied("RUN/run.json"), 2, "run.json is damaged", does="show r"),
    _damaged("study-gone", _gone("study.toml"), 2, "r: contains no results of a study", "assay run"),
    _damaged("study-empty", _emptied("study.toml"), 2, "study.toml: study: is missing"),
    _damaged("study-noise", _noise("study.toml"), 2, "study.toml: is not UTF-8 text"),
    _damaged("study-folder", _folder("study.toml"), 2, "contains no results of a study"),
    _damaged("manifest-empty", _emptied("RUN/run.json"), 2, "run.json", "delete"),
    _damaged("manifest-noise", _noise("RUN/run.json"), 2, "run.json", "delete"),
    _damaged("manifest-null", _json("RUN/run.json", "null"), 2, "run.json", "delete"),
    _damaged("manifest-object", _json("RUN/run.json", "{}"), 2, "run.json", "delete"),
    _damaged("manifest-cut", _cut("RUN/run.json"), 2, "run.json", "delete"),
    _damaged("manifest-empty-plan", _emptied("RUN/run.json"), 0, "1 of 2 runs are done", does=PLAN),
    _damaged("manifest-empty-run", _emptied("RUN/run.json"), 0, "report:", does=RUN),
    _damaged("manifest-gone", _gone("RUN/run.json"), 0, "report:", does=ONE),
    _damaged("run-gone", _gone("RUN/"), 0, "report:", does=ONE),
    _damaged("runs-gone", _gone("runs"), 0, "missing-blocks", does=f"{ONE} --json"),
    _damaged("events-cut", _cut("RUN/rungs/*/events.jsonl"), 0, "events.jsonl", does=SHOW),
    _damaged("events-empty", _emptied("RUN/rungs/*/events.jsonl"), 0, "events.jsonl", does=SHOW),
    _damaged("events-noise", _noise("RUN/rungs/*/events.jsonl"), 0, "events.jsonl", does=SHOW),
    _damaged("events-gone", _gone("RUN/rungs/*/events.jsonl"), 0, "events.jsonl", does=SHOW),
    _damaged("rungs-gone", _gone("RUN/rungs"), 0, "rungs", does=SHOW),
    _damaged("events-cut-store", _cut("RUN/rungs/*/events.jsonl"), 0, "events.jsonl", does=SHOW, store=True),
    _damaged("rungs-gone-store", _gone("RUN/rungs"), 0, "rungs", does=SHOW, store=True),
    _damaged("job-empty", _emptied("RUN/rungs/*/job.json"), 0, "job.json", does=SHOW),
    _damaged("facts-gone", _gone("RUN/facts"), 0, "facts", does=SHOW),
    _damaged("facts-empty", _emptied("RUN/facts/server-before.json"), 0, "server-before.json", does=SHOW),
    _damaged("facts-noise", _noise("RUN/facts/server-before.json"), 0, "server-before.json", does=SHOW),
    _damaged("samples-gone", _gone("RUN/samples"), 0, "samples", does=SHOW),
    _damaged("samples-noise", _noise("RUN/samples/status.jsonl"), 0, "status.jsonl", does=SHOW),
    _damaged("samples-cut", _cut("RUN/samples/status.jsonl"), 0, "status.jsonl", does=SHOW),
    _damaged("store-noise", _noise("store/part-*/measures.parquet"), 0, "report:", does=ONE, store=True),
    _damaged("store-empty", _emptied("store/part-*/measures.parquet"), 0, "report:", does=ONE, store=True),
    _damaged("plan-noise", _noise("plan.json"), 0, "report:", does=ONE),
    _damaged("plan-gone", _gone("plan.json"), 0, "report:", does=ONE),
    _damaged("study-changed", _json("study.json", "{}"), 2, "study.json", does="report shared.toml --results r"),
]  # fmt: skip
