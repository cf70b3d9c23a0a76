"""What a measurement says of other programs: a line before it and a line after it, none for a mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import InputError
from assay.design.folder import Doubt, ErrorEvent, Event
from assay.design.folder.others import Others
from assay.experiments.bench.measure import measure
from bench_request import bench
from planted_figures import PLANTED

NEIGHBOURS = "assay.system.host.neighbours"
NOISY = Others(share=0.6, processors=1.2, steal=0.2, programs=(("rustc", 1.1),))


class Display:
    """Keeps the lines that a person sees."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.doubts: list[str] = []

    def note(self, message: str) -> None:
        self.notes.append(message)

    def event(self, event: Event) -> None:
        if isinstance(event, Doubt):
            self.doubts.append(event.kind)


Engine = Callable[[bytes, int], None]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine that says what it is given, on a machine where all others are at work."""
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(f"{NEIGHBOURS}.LOOK_S", 0.0)
    monkeypatch.setattr(f"{NEIGHBOURS}.others_measuring", lambda: ["assay run a", "assay run b"])
    monkeypatch.setattr(f"{NEIGHBOURS}.others_between", lambda first, last: NOISY)

    def made(events: bytes, code: int) -> None:
        (tmp_path / "events").write_bytes(events)
        path = tmp_path / "assay-engine"
        path.write_text(f"#!/bin/sh\ncat > /dev/null\ncat {tmp_path}/events\nexit {code}\n", encoding="utf-8")
        path.chmod(0o755)
        monkeypatch.setenv("ASSAY_ENGINE", str(path))

    return made


def test_all_that_disturbs_is_one_line_before_and_one_after(engine: Engine) -> None:
    engine(b"".join(msgspec.json.encode(event) + b"\n" for event in PLANTED[0].events()), 0)
    display = Display()
    done = measure(bench("/run/none.sock"), display)
    before, after = display.notes
    assert before.startswith(
        "2 other measurements run on this machine: assay run a, assay run b; other programs"
    )
    for kind in ("other-measurement", "foreign-load", "stolen-time"):
        assert kind in {doubt["kind"] for doubt in done.doubts}
        assert kind not in display.doubts
    assert after.count("; ") >= 2
    assert "rustc 1.1" in after


def test_a_job_that_is_refused_has_no_line_about_the_machine(engine: Engine) -> None:
    fatal = ErrorEvent(at_ns=0, kind="job", message="there is no such file", fatal=True)
    engine(msgspec.json.encode(fatal) + b"\n", 2)
    display = Display()
    done = measure(bench("/run/none.sock"), display)
    assert isinstance(done.error, InputError)
    assert display.notes == []
