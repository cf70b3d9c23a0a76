"""Finding the engine, and its errors as the lab's own types."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import AssayError, ConnectError, HostError, InputError
from assay.design.folder import ErrorEvent, Event
from assay.system.engine import binary, jobs, process
from assay.system.engine.binary import find_engine, workload_catalogue
from assay.system.engine.interrupts import Interrupts
from assay.system.engine.process import run_job
from assay.system.server import Address

NOBODY = Address(user="root", socket=Path("/nowhere/x.sock"), database="assay")


def test_a_named_engine_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_ENGINE", str(tmp_path))
    with pytest.raises(HostError, match="ASSAY_ENGINE"):
        find_engine()


def test_every_place_is_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ASSAY_ENGINE", raising=False)
    monkeypatch.setattr(binary, "NAME", "no-such-engine")
    with pytest.raises(HostError) as caught:
        find_engine()
    places = (caught.value.detail or "").splitlines()[1:]
    assert places[0].endswith("target/engine/no-such-engine")  # where make installs every build
    assert [place.split("/")[-2] for place in places[1:4]] == ["release", "quick", "debug"]
    assert "make engine" in (caught.value.hint or "")


def test_the_catalogue_names_workloads_with_their_options() -> None:
    catalogue = {entry["name"]: entry for entry in workload_catalogue()}
    assert "table_size" in catalogue["oltp_read_write"]["options"]["properties"]


@pytest.mark.parametrize(
    ("workload", "options", "kind"),
    [("oltp_read_write", {}, ConnectError), ("oltp_read_write", {"tabels": 1}, InputError)],
)
def test_causes_become_our_errors(
    tmp_path: Path, workload: str, options: dict[str, int], kind: type[AssayError]
) -> None:
    heard: list[Event] = []
    path = tmp_path / "events.jsonl"
    job = jobs.job("run", target=jobs.target(NOBODY), workload=workload, options=options, seed=1)
    outcome = run_job(job, interrupts=Interrupts(), events_path=path, on_event=heard.append)

    assert isinstance(outcome.error, kind)
    assert outcome.exit_code == kind.exit_code
    assert outcome.result is None
    assert len(path.read_text().splitlines()) == len(heard)
    assert isinstance(heard[-1], ErrorEvent)
    with pytest.raises(kind):
        outcome.require()


def test_an_engine_that_the_kernel_keeps_is_not_waited_for_without_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its output has ended, and it has not: here it sleeps."""
    lasting = tmp_path / "engine"
    lasting.write_text("#!/bin/sh\nexec sleep 600 >&-\n")
    lasting.chmod(0o755)
    monkeypatch.setenv("ASSAY_ENGINE", str(lasting))
    monkeypatch.setattr(process, "_ENDS_S", 0.3)
    pids: list[int] = []
    outcome = run_job({}, interrupts=Interrupts(), on_start=pids.append)
    assert isinstance(outcome.error, HostError)
    assert "not exited within 0.3 s" in outcome.error.message
    assert not Path(f"/proc/{pids[0]}").exists()
