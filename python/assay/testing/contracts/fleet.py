"""The contract tests of every backend of fleets: generators are placed, hear commands, speak, and are never
left behind.
"""

from __future__ import annotations

import json
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from assay.base.errors import GeneratorLost
from assay.base.format.job import FleetPart, Job
from assay.design.folder import Event, Interval, RungFolder, read_events
from assay.measurement.fleet import Backend, Generator, Share, run_fleet
from assay.measurement.fleet.shares import split
from assay.system.engine import Interrupts, JobOutcome

_PATIENCE_S = 20.0


class BackendContract:
    """Tests of a backend. Fixtures: `backend`; `job`, a load of 4 connections in a closed loop on a server
    that answers at once, with intervals of 100 ms and a window of 500 ms.
    """

    def shares(self, backend: Backend, job: Job, count: int) -> list[Share]:
        """Returns the shares of so many generators with one event loop each."""
        host = backend.join()[0]
        jobs = split(job, [1] * count)
        return [Share(f"g{number}", host.name, 1, part) for number, part in enumerate(jobs, start=1)]

    def test_hosts_that_are_joined_have_processors(self, backend: Backend) -> None:
        hosts = backend.join()
        assert hosts
        assert all(host.name and host.processors > 0 for host in hosts)

    def test_hosts_elsewhere_reach_a_server_here_at_one_address(self, backend: Backend) -> None:
        hosts, reach = backend.join(), backend.reach()
        assert set(backend.placed_on()) == ({host.name for host in hosts} if reach else set())
        if reach is not None:
            with socket.create_server((reach.listen, 0)):
                assert len(reach.clients) == len(set(reach.clients)) > 0

    def test_generators_speak_and_end_when_they_are_told(self, backend: Backend, job: Job) -> None:
        with backend.place(self.shares(backend, job, 2), {}) as generators:
            said = [_Listening(one) for one in generators]
            for one in said:
                one.wait_for("ready")
            assert [one.gone() for one in generators] == [None, None]
            generators[0].say({"command": "stop"})
            generators[1].close()
            assert [one.gone(_PATIENCE_S) for one in generators] == [130, 130]
        for generator in generators:  # one that is gone takes whatever comes
            generator.say({"command": "stop"})
            generator.send_signal(signal.SIGINT)
            generator.kill()
            generator.close()

    def test_one_that_is_killed_is_gone(self, backend: Backend, job: Job) -> None:
        with backend.place(self.shares(backend, job, 2), {}) as (first, second):
            said = _Listening(first)
            said.wait_for("ready")
            first.kill()
            assert first.gone(_PATIENCE_S) == -signal.SIGKILL
            said.join()
            assert second.gone() is None

    def test_none_is_left_behind(self, backend: Backend, job: Job) -> None:
        kept: list[Generator] = []

        def break_off() -> None:
            with backend.place(self.shares(backend, job, 3), {}) as generators:
                kept.extend(generators)
                for one in generators:
                    _Listening(one).wait_for("ready")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            break_off()
        assert all(one.gone(_PATIENCE_S) is not None for one in kept)

    def test_a_job_that_is_wrong_is_said(self, backend: Backend, job: Job) -> None:
        (share,) = self.shares(backend, job, 1)
        wrong = Share(share.name, share.host, 1, _with_loops(share.job, 1, 1))
        with backend.place([wrong], {}) as (generator,):
            said = _Listening(generator)
            said.join()
            assert generator.gone(_PATIENCE_S) == 2
        assert any("load.part" in event.get("message", "") for event in said.events)

    def test_several_carry_out_one_load(self, backend: Backend, job: Job, tmp_path: Path) -> None:
        heard: list[Event] = []
        outcome, folder = self.carry_out(backend, job, 2, tmp_path, on_event=heard.append)
        assert (outcome.exit_code, outcome.error) == (0, None)
        result = outcome.result
        assert result is not None
        assert result.complete
        assert [one.cause for one in result.generators] == [None, None]
        assert result.connections.count == 4
        events = list(read_events(folder.events))
        assert events == heard
        measured = [one for one in events if isinstance(one, Interval) and one.phase == "measure"]
        assert sum(one.transactions for one in measured) == result.transactions > 0
        record = json.loads(folder.fleet.read_text())
        assert record["lost"] == []
        assert record["start_spread_ns"] >= 0

    def test_a_lost_one_voids_the_load(self, backend: Backend, job: Job, tmp_path: Path) -> None:
        pids: list[int] = []
        outcome, folder = self.carry_out(backend, _long(job), 2, tmp_path, lose="g2", pids=pids)
        assert isinstance(outcome.error, GeneratorLost)
        assert outcome.exit_code == 6
        assert "g2" in outcome.error.message
        assert "signal 9" in outcome.error.message
        assert outcome.result is not None
        assert not outcome.result.complete
        first, second = outcome.result.generators
        assert (first.cause, second.exit_code) == (None, -signal.SIGKILL)
        assert second.cause is not None
        assert second.lost_at_ns is not None
        assert second.lost_connection_s is not None
        assert second.lost_connection_s > 0
        (lost,) = json.loads(folder.fleet.read_text())["lost"]
        assert lost["name"] == "g2"

    def carry_out(
        self,
        backend: Backend,
        job: Job,
        count: int,
        path: Path,
        *,
        lose: str | None = None,
        pids: list[int] | None = None,
        on_event: Callable[[Event], None] | None = None,
    ) -> tuple[JobOutcome, RungFolder]:
        """Carries a job out with so many generators; kills one of them after the first measured interval."""
        losing = backend if lose is None else _Losing(backend, lose)

        def hear(event: Event) -> None:
            if isinstance(losing, _Losing) and isinstance(event, Interval) and event.phase == "measure":
                losing.lose()
            if on_event is not None:
                on_event(event)

        folder = RungFolder(path)
        outcome = run_fleet(
            job,
            generators=count,
            backend=losing,
            folder=folder,
            interrupts=Interrupts(),
            on_start=None if pids is None else pids.append,
            on_event=hear,
        )
        return outcome, folder


class _Listening:
    """Reads what a generator says, in a thread of its own."""

    def __init__(self, generator: Generator) -> None:
        self.events: list[dict[str, Any]] = []
        self._generator = generator
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for line in self._generator.lines():
            if line.endswith(b"\n"):  # else a kill has cut it short
                self.events.append(json.loads(line))

    def wait_for(self, kind: str) -> None:
        deadline = time.monotonic() + _PATIENCE_S
        while not any(event["event"] == kind for event in list(self.events)):
            assert time.monotonic() < deadline, f"no {kind} in {self.events}"
            time.sleep(0.01)

    def join(self) -> None:
        self._thread.join(_PATIENCE_S)
        assert not self._thread.is_alive()


class _Losing:
    """A backend one of whose generators can be killed from outside, as the kernel does when memory ends."""

    def __init__(self, backend: Backend, name: str) -> None:
        self.name = backend.name
        self.lead_s = backend.lead_s
        self.join = backend.join
        self.placed_on = backend.placed_on
        self.reach = backend.reach
        self.doubts = backend.doubts
        self.ceiling_qps = backend.ceiling_qps
        self._backend = backend
        self._lost = name
        self._generator: Generator | None = None

    @contextmanager
    def place(self, shares: Sequence[Share], env: Mapping[str, str]) -> Iterator[Sequence[Generator]]:
        with self._backend.place(shares, env) as generators:
            self._generator = next(one for one in generators if one.share.name == self._lost)
            yield generators

    def lose(self) -> None:
        if self._generator is not None:
            self._generator.kill()
            self._generator = None


def _long(job: Job) -> Job:
    """Returns the job with a window that nobody waits for."""
    return replace(job, phases=replace(job.phases, measure_ms=600_000))


def _with_loops(job: Job, first: int, loops: int) -> Job:
    """Returns the job with a part that is not among so many event loops."""
    part = FleetPart(first_loop=first, loops=loops)
    return replace(job, load=replace(job.load, part=part))
