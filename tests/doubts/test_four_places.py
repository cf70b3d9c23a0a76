"""The same fault raises the same kinds of doubts in a measurement, on the live page, of a fleet and in a
report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import cast

import msgspec
import pytest
from assay.base.doubts import CHECKS, RungFigures, doubts_of, figures_of, unsaid_doubts
from assay.design.folder import Doubt, Doubted, Event, Hello, Manifest
from assay.design.folder.live import RunOver
from assay.design.study import load_study
from assay.experiments.bench.measure import measure
from assay.measurement.calibration import Calibration, near_ceiling
from assay.measurement.calibration.record import save, setting_of
from assay.measurement.fleet import Generator
from assay.measurement.fleet.conducting import Questions
from assay.measurement.fleet.doubts import fleet_doubts
from assay.measurement.fleet.merging import GeneratorEvents
from assay.reporting.live import Doubts, EngineEvent, RungOpened
from assay.results.store import build_store, open_store
from assay.results.verdict.doubts import doubts_of_rungs
from assay.results.verdict.doubts.rung_seen import read_rungs
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from bench_request import bench
from planted_figures import PLANTED, Planted

RUN, RUNG = "b01-01-default", "01-threads-8"
KINDS = {
    *("littles-law", "generator-busy", "late-pacing", "starved-connection", "starved-terminal"),
    *("conservation", "near-ceiling", "not-steady"),
}
each = pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)


def shared(kinds: Iterable[str]) -> set[str]:
    """The kinds that all four can raise."""
    return set(kinds) & KINDS


def lines(events: Iterable[Event]) -> bytes:
    return b"".join(msgspec.json.encode(event) + b"\n" for event in events)


def calibration(planted: Planted) -> Calibration | None:
    ceiling = planted.ceiling_qps
    if ceiling is None:
        return None
    return Calibration(
        setting=setting_of(bench("/run/none.sock").job()), cpu="x", measured_wall_ns=1, window_s=1, repeats=1,
        ceiling_qps=ceiling, lowest_qps=ceiling, highest_qps=ceiling, ceiling_tps=ceiling,
        floor_cpu_us_per_query=1, engine_cores=1, engine_was_limit=True,
    )  # fmt: skip


def of_lab(planted: Planted) -> list[Doubted]:
    """What the lab says of a run when it is over."""
    doubt = near_ceiling(planted.run_result(), calibration(planted), f"rungs/{RUNG}")
    return [] if doubt is None else [doubt]


class Display:
    def note(self, message: str) -> None: ...

    def event(self, event: Event) -> None: ...


def measured(planted: Planted, place: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """An engine that says what was planted is measured as any other."""
    monkeypatch.setenv("ASSAY_HOME", str(place / "home"))
    (place / "events").write_bytes(lines(planted.events()))
    engine = place / "assay-engine"
    engine.write_text(f"#!/bin/sh\ncat > {place}/job\ncat {place}/events\n", encoding="utf-8")
    engine.chmod(0o755)
    monkeypatch.setenv("ASSAY_ENGINE", str(engine))
    # A look around would take half a second.
    monkeypatch.setattr(import_module("assay.system.host.neighbours"), "LOOK_S", 0.0)
    if (known := calibration(planted)) is not None:
        save(known)
    return {doubt["kind"] for doubt in measure(bench("/run/none.sock"), Display()).doubts}


def on_the_live_page(planted: Planted) -> set[str]:
    """What is confirmed when the run is over."""
    doubts = Doubts()
    doubts.take(RungOpened(RUN, RUNG))
    for event in planted.events():
        doubts.take(EngineEvent(RUN, RUNG, event))
    doubts.take(RunOver(at_wall_ns=1, run=RUN, headline="", doubts=of_lab(planted)))
    assert all(one.state != "provisional" for one in doubts.all.values())
    return {one.kind for one in doubts.all.values() if one.state == "confirmed"}


def of_a_fleet(planted: Planted) -> set[str]:
    """What a coordinator says of the merged result."""
    hello = next(event for event in planted.events() if isinstance(event, Hello))
    generator = GeneratorEvents(cast(Generator, None), 0)
    generator.hello = hello
    result = planted.run_result()
    counted = result.server_questions
    found = fleet_doubts(
        [generator],
        result,
        steady=planted.steady,
        clocks={},
        questions=None if counted is None else Questions(counted, 12.0),
        ceiling_qps=planted.ceiling_qps,
    )
    return {doubt.kind for doubt in found}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], dict[str, set[str]]]:
    """What a report has of each fault, by name: every run of one study has another."""
    study = STUDY_TOML.split("[[hypothesis]]")[0].replace("[1, 8, 64]", "[8]")
    short = Truth(measure_s=1, warmup_s=1, samples=False)
    folder = make_results(
        tmp_path_factory.mktemp("planted"), study_toml=study, blocks=len(PLANTED), loads=(8,),
        treatments={"default": {}}, truth=short,
    )  # fmt: skip
    runs = list(folder.finished_runs())
    for run, planted in zip(runs, PLANTED, strict=True):
        run.rung(1, "threads", 8).events.write_bytes(lines(planted.events()))
        manifest = msgspec.json.decode(run.manifest.read_bytes(), type=Manifest)
        kind = "rate" if planted.is_open else "threads"
        rungs = [msgspec.structs.replace(one, kind=kind) for one in manifest.rungs]
        changed = msgspec.structs.replace(manifest, rungs=rungs, doubts=of_lab(planted))
        run.manifest.write_bytes(msgspec.json.encode(changed))
    build_store(folder)
    store, loaded = open_store(folder), load_study(folder.study_file)
    names = {run.path.name: planted.name for run, planted in zip(runs, PLANTED, strict=True)}

    def kinds() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {planted.name: set() for planted in PLANTED}
        for note in doubts_of_rungs(loaded, store, read_rungs(store)):
            if note.run_id is not None:
                found[names[note.run_id]].add(note.kind)
        return found

    return kinds


@pytest.fixture(scope="module")
def reported(report: Callable[[], dict[str, set[str]]]) -> dict[str, set[str]]:
    return report()


@pytest.mark.sampled(8)
@each
def test_all_four_raise_the_same_kinds(
    planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reported: dict[str, set[str]]
) -> None:
    assert shared(measured(planted, tmp_path, monkeypatch)) == planted.kinds
    assert shared(on_the_live_page(planted)) == planted.kinds
    assert shared(of_a_fleet(planted)) == planted.kinds
    assert shared(reported[planted.name]) == planted.kinds


def test_a_new_doubt_of_the_list_is_raised_in_all_four(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: Callable[[], dict[str, set[str]]]
) -> None:
    clean = PLANTED[0]

    def check(figures: RungFigures) -> Doubt | None:
        if figures.connections != 8 or figures.transactions != 8000:
            return None
        return Doubt(kind="of-tomorrow", message="eight connections", value=8.0, limit=7.0)

    monkeypatch.setattr("assay.base.doubts.checks.CHECKS", (*CHECKS, check))
    assert "of-tomorrow" in measured(clean, tmp_path, monkeypatch)
    assert "of-tomorrow" in on_the_live_page(clean)
    assert "of-tomorrow" in of_a_fleet(clean)
    assert "of-tomorrow" in report()[clean.name]


def test_every_doubt_of_the_list_is_planted() -> None:
    """A doubt that joins the list is planted here, too; shares of the machine need the host's facts."""
    planted = {kind for one in PLANTED for kind in one.kinds}
    files = {check.__module__.rpartition(".")[2].replace("_", "-") for check in CHECKS}
    files -= {"generator-share", "quick-build"}
    assert {file for file in files if not any(kind.startswith(file) for kind in planted)} == set()


def test_a_doubt_that_an_engine_has_said_is_said_once() -> None:
    result = next(one for one in PLANTED if one.name == "two-faults").run_result()
    figures = figures_of(result, threads=1)
    assert [doubt.kind for doubt in unsaid_doubts(figures, ["littles-law"])] == ["generator-busy"]
    assert {doubt.kind for doubt in doubts_of(figures)} == {"littles-law", "generator-busy"}
