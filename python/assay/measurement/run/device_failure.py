"""Fails a device of a run's volume in the measured window, and replaces it with a new one."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType

from assay.base import clock
from assay.base.errors import AssayError, HostError, ServerLost
from assay.design.folder import (
    Doubted,
    Event,
    Figure,
    FinderRecord,
    Hello,
    Moment,
    PhaseStart,
    RungFolder,
    Scalar,
    add_found,
)
from assay.design.study.device_failure import FAILED, MEASURES, REBUILT, REPLACED
from assay.system.engine import JobOutcome
from assay.system.host.volume import Failure, Rebuild, Volume

USE = "device-failure"
_LOOK_S = 0.05


class VolumeLostError(ServerLost):
    """Raised when the volume did not carry the load past its failed device: the run is lost, the study goes
    on.
    """


@dataclass
class DeviceFailure:
    """Passes the engine's events on to `heard`, and fails a device while the load runs inside its block.

    A thread of its own fails the device, the planned time after the window began, and has it replaced. A
    rebuild that the load does not wait for is cancelled with the block: what comes after the window is not
    measured. For a volume without a planned failure, or without a volume, it only passes events on.
    """

    volume: Volume | None
    heard: Callable[[Event], None]
    moments: list[Moment] = field(default_factory=list)
    unfinished_pct: float | None = None  # of a rebuild that was cancelled
    _errors: dict[int, dict[str, int]] = field(default_factory=dict)
    _epoch_ns: int = 0
    _over: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _broken: AssayError | None = None

    @property
    def planned(self) -> Failure | None:
        """The planned failure; None without one."""
        return None if self.volume is None else self.volume.spec.failure

    def hear(self, event: Event) -> None:
        """Takes in an event of the engine; the beginning of the window starts the clock."""
        match event:
            case Hello():
                self._epoch_ns = event.epoch_monotonic_ns
            case PhaseStart(phase="measure") if self.planned is not None and self._thread is None:
                begins_s = (self._epoch_ns + event.start_ns) / 1e9
                self._thread = threading.Thread(target=self._drive, args=(begins_s,), name=USE)
                self._thread.start()
            case _:
                pass
        self.heard(event)

    def __enter__(self) -> DeviceFailure:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(0.2)  # in short waits, so that signals are heard

    def require(self, outcome: JobOutcome) -> JobOutcome:
        """Returns the outcome of a load that ran to its end; otherwise raises its error, with the failure
        that preceded it.
        """
        if self.planned is None or (outcome.error is not None and not self.moments):
            return outcome.require()
        if self._broken is not None:
            raise self._broken
        number = self.planned.device
        if (error := outcome.error) is not None:
            kind = VolumeLostError if isinstance(error, HostError) else type(error)
            after = f"last moment: {self.moments[-1].name}"
            raise kind(
                f"device {number} of the volume was made to fail ({after}), and then: {error.message}",
                hint=error.hint or "the volume gave an I/O error to the load; the kernel's log says which",
                detail=error.detail,
            ) from error
        if not self.moments:
            raise VolumeLostError(
                f"the load ended before device {number} failed", hint="set an earlier volume.fail_after"
            )
        return outcome

    def record(self, rung: RungFolder) -> None:
        """Adds the failure's findings to the rung's; nothing where no failure was planned."""
        if self.planned is None:
            return
        options: dict[str, Scalar] = {
            "device": self.planned.device,
            "after_s": self.planned.after_s,
            "replace_after_s": "never" if (s := self.planned.replace_after_s) is None else s,
        }
        count = sum(sum(kinds.values()) for kinds in self._errors.values())
        name = "device_errors"
        figure = Figure(name=name, unit=MEASURES[name], value=float(count))
        facts = {f"device-{number}.errors": _said(kinds) for number, kinds in sorted(self._errors.items())}
        figures = [figure] if self._errors else []
        add_found(
            rung, FinderRecord(by=USE, options=options, figures=figures, moments=self.moments, facts=facts)
        )

    def doubts(self, rung: str) -> list[Doubted]:
        """Returns a doubt where the window ended before the new device had its data."""
        if self.unfinished_pct is None:
            return []
        message = (
            f"the rebuild was at {self.unfinished_pct:.1f} % when the window ended, and was cancelled:"
            " how long it takes and what comes after it was not measured"
        )
        return [
            Doubted(
                kind="rebuild-unfinished", message=message, value=self.unfinished_pct, limit=100.0, rung=rung
            )
        ]

    # In the thread.

    def _drive(self, begins_s: float) -> None:
        try:
            self._carry_out(begins_s)
            self._over.wait()  # the devices answer with errors until the load ends
            self._count_errors()
        except AssayError as error:
            self._broken = VolumeLostError(error.message, hint=error.hint, detail=error.detail)
        except OSError as error:
            self._broken = VolumeLostError(f"the volume cannot be handled: {error}")

    def _carry_out(self, begins_s: float) -> None:
        assert self.volume is not None
        assert self.planned is not None
        planned = self.planned
        if self._over_by(begins_s + planned.after_s):
            return
        self.volume.fail(planned.device)
        self._happens(FAILED)
        if planned.replace_after_s is None or self._over_by(
            begins_s + planned.after_s + planned.replace_after_s
        ):
            return
        self._count_errors()  # those of the old device go with it
        rebuild = self.volume.replace(planned.device)
        self._happens(REPLACED)
        self._see_through(rebuild)

    def _see_through(self, rebuild: Rebuild) -> None:
        while not rebuild.over(_LOOK_S):
            if self._over.is_set():
                done_pct = rebuild.done_pct()
                if rebuild.cancel():
                    self.unfinished_pct = done_pct
                    return
        at = clock.wall_ns()
        rebuild.require()
        self._happens(REBUILT, at)

    def _over_by(self, instant_s: float) -> bool:
        """Waits until an instant of the monotonic clock; returns whether the load ended before it."""
        return self._over.wait(max(instant_s - time.monotonic(), 0.0))

    def _happens(self, name: str, at_ns: int | None = None) -> None:
        self.moments.append(Moment(name=name, at_wall_ns=clock.wall_ns() if at_ns is None else at_ns))

    def _count_errors(self) -> None:
        assert self.volume is not None
        with contextlib.suppress(HostError):  # a broken volume may not answer
            for number, kinds in self.volume.errors().items():
                known = self._errors.setdefault(number, dict.fromkeys(kinds, 0))
                for kind, count in kinds.items():
                    known[kind] = max(known.get(kind, 0), count)


def _said(kinds: dict[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count) or "none"
