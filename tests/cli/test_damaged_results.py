"""`assay report` on results that have lost something, with and without the store of the time before."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from assay.design.folder import ResultsFolder, read_manifest, written_files
from assay.testing.results_folder import Truth, make_results
from shell import Shell

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def results(tmp_path: Path) -> ResultsFolder:
    """Two whole blocks, whose manifests list their files."""
    folder = make_results(tmp_path / "results", blocks=2, loads=(8,), truth=Truth(measure_s=3, warmup_s=1))
    for run in folder.finished_runs():
        manifest = read_manifest(run)
        run.manifest.unlink()
        listed = msgspec.structs.replace(manifest, files=written_files(run.path))
        run.manifest.write_bytes(msgspec.json.encode(listed))
    return folder


def judged(shell: Shell, folder: ResultsFolder) -> dict[str, list[dict[str, object]]]:
    """What a report says, without its pages: they take most of the time."""
    ended = shell("show", folder.path, "--json")
    assert ended.code == 0, ended.err
    found: dict[str, list[dict[str, object]]] = json.loads(ended.out)["judged"]
    return found


def said(found: dict[str, list[dict[str, object]]], kind: str) -> list[tuple[object, object]]:
    return [(one["severity"], one["run_id"]) for one in found["doubts"] if one["kind"] == kind]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("store", ["kept", "gone"])
@pytest.mark.parametrize("how", ["cut", "deleted", "rungs deleted"])
def test_lost_figures_are_said_and_not_counted(
    shell: Shell, results: ResultsFolder, store: str, how: str
) -> None:
    whole = judged(shell, results)
    assert (whole["blocks_complete"], said(whole, "lost-figures")) == (2, [])
    run = next(results.finished_runs())
    events = run.rung(1, "threads", 8).events
    match how:
        case "cut":
            events.write_bytes(events.read_bytes()[:-700])
        case "deleted":
            events.unlink()
        case _:
            shutil.rmtree(run.path / "rungs")
    if store == "gone":
        shutil.rmtree(results.store)
    found = judged(shell, results)
    assert said(found, "lost-figures") == [("invalid", run.path.name)]
    assert found["blocks_complete"] == 1
    assert [one["kind"] for one in found["doubts"] if one["kind"] == "missing-blocks"] == ["missing-blocks"]
    if store == "kept":
        assert shell("report", results.path, "--language", "en").code == 0
        assert "found no reason" not in results.report.read_text(encoding="utf-8")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("store", ["kept", "gone"])
@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("facts/server-before.json", b"\x00\xffnoise"),
        ("samples/status.jsonl", b"\x00\xffnoise"),
        ("my.cnf", None),
    ],
)
def test_what_is_lost_beside_the_figures_is_a_warning_that_names_it(
    shell: Shell, results: ResultsFolder, store: str, file: str, content: bytes | None
) -> None:
    judged(shell, results)
    run = next(results.finished_runs())
    if content is None:
        (run.path / file).unlink()
    else:
        (run.path / file).write_bytes(content)
    if store == "gone":
        shutil.rmtree(results.store)
    found = judged(shell, results)
    assert said(found, "lost-files") == [("warning", run.path.name)]
    (message,) = [str(one["message"]) for one in found["doubts"] if one["kind"] == "lost-files"]
    assert file in message
    assert found["blocks_complete"] == 2


def test_a_store_that_was_spoilt_is_built_again(shell: Shell, results: ResultsFolder) -> None:
    whole = judged(shell, results)
    for spoil in (lambda file: file.write_bytes(b"junk" * 100), lambda file: file.unlink()):
        spoil(max(results.store.glob("part-*/measures.parquet")))
        assert judged(shell, results) == whole
    (results.store / "index.json").write_bytes(b"{}")
    assert judged(shell, results) == whole


@pytest.mark.long
def test_junk_of_the_same_length_and_time_is_built_again(shell: Shell, results: ResultsFolder) -> None:
    import os

    whole = judged(shell, results)
    for table in sorted(results.store.glob("part-*/*.parquet")):
        before = table.stat()
        table.write_bytes(b"\x00" * before.st_size)
        os.utime(table, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert judged(shell, results) == whole


Spoil = Callable[[ResultsFolder], Path]


def entry_gone(folder: ResultsFolder) -> Path:
    folder.entry.unlink()
    return folder.entry


def entry_emptied(folder: ResultsFolder) -> Path:
    folder.entry.write_bytes(b"")
    return folder.entry


def manifest_emptied(folder: ResultsFolder) -> Path:
    file = next(folder.finished_runs()).manifest
    file.write_bytes(b"")
    return file


def unlisted(folder: ResultsFolder, name: str, content: bytes) -> Path:
    """A file of a run of an earlier assay, whose manifest does not say how long its files were."""
    run = next(folder.finished_runs())
    run.manifest.write_bytes(msgspec.json.encode(msgspec.structs.replace(read_manifest(run), files={})))
    (run.path / name).write_bytes(content)
    return run.path / name


@pytest.mark.parametrize(
    "spoil",
    [
        entry_gone,
        entry_emptied,
        manifest_emptied,
        lambda folder: unlisted(folder, "rungs/01-threads-8/job.json", b""),
        lambda folder: unlisted(folder, "facts/server-before.json", b""),
        lambda folder: unlisted(folder, "facts/server-before.json", b"\x93\x00noise"),
    ],
)
def test_what_cannot_be_read_is_named(shell: Shell, results: ResultsFolder, spoil: Spoil) -> None:
    file = spoil(results)
    ended = shell("report", results.path)
    assert ended.code == 2
    assert f"{file} is " in ended.err
    assert "hint:" in ended.err
