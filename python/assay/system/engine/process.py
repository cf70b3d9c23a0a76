"""Runs one job with the measuring engine, reading its events line by line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec
from msgspec.structs import replace

from assay.base.errors import (
    AssayError,
    ConnectError,
    DataError,
    HostError,
    InputError,
    ServerError,
    ServerLost,
)
from assay.base.format.event import ScriptOutput
from assay.base.format.job import AnyJob
from assay.base.printable import shortened
from assay.base.privileges import PrivilegeError, refused, speaks_of_rights
from assay.design.folder import ActionResult, Doubt, ErrorEvent, Event, Hello, RunResult, decode_event
from assay.system.engine.binary import NAME, find_engine
from assay.system.engine.interrupts import Interrupts
from assay.system.server.process import start

_LONGEST_LINE = 1 << 20
_ENDS_S = 60.0
"""Seconds within which the engine must exit after the end of its output; it waits for pending I/O of a slow
disk.
"""
_KILLED_S = 5.0

_BY_EXIT_CODE: dict[int, type[AssayError]] = {
    2: InputError,
    3: ConnectError,
    4: ServerError,
    5: ServerLost,
    6: HostError,
    8: DataError,
}


@dataclass(frozen=True)
class JobOutcome:
    """The outcome of a job. `result` is for the action `run`, `done` for all others; both are None after an
    error.
    """

    exit_code: int
    result: RunResult | None
    done: ActionResult | None
    error: AssayError | None

    def require(self) -> JobOutcome:
        """Returns this outcome, or raises the job's error."""
        if self.error is not None:
            raise self.error
        return self


def run_job(
    job: AnyJob,
    *,
    interrupts: Interrupts,
    events_path: Path | None = None,
    on_start: Callable[[int], None] | None = None,
    on_event: Callable[[Event], None] | None = None,
    env: Mapping[str, str] | None = None,
    namespace: Path | None = None,
) -> JobOutcome:
    """Runs one job to its end, and returns its outcome.

    Every event line is written to `events_path` as it comes and passed, decoded, to `on_event`; very long
    texts in it are recorded shortened. Before the result, `on_event` hears the doubts that its figures raise
    and the engine has not said. `on_start` is called with the engine's process id. `env` is added to the
    engine's environment, the only way by which a password reaches it. The engine has its own process group,
    so that a terminal's Ctrl-C reaches it only through `interrupts`; it is killed when the calling thread
    ends without it. `namespace` is the network namespace in which it runs.
    """
    words = [f"death={signal.SIGKILL:d}", *([] if namespace is None else [f"namespace={namespace}"])]
    result: RunResult | None = None
    done: ActionResult | None = None
    fatal: ErrorEvent | None = None
    own = _OwnDoubts()
    with (
        tempfile.TemporaryFile() as said,
        _open_events(events_path) as record,
        started([str(find_engine()), "run", "-"], words, said, env or {}) as engine,
        interrupts.forwarded_to(engine),
    ):
        try:
            if on_start is not None:
                on_start(engine.pid)
            _hand_over(engine, job)
            assert engine.stdout is not None
            for line in engine.stdout:
                try:
                    event = decode_event(line)
                except msgspec.DecodeError as broken:
                    raise HostError(
                        f"{NAME} wrote a line that is not an event: {broken}", detail=shortened(str(line))
                    ) from broken
                record.write(_kept_line(event, line))
                record.flush()
                match event:
                    case RunResult():
                        result = event
                    case ActionResult():
                        done = event
                    case ErrorEvent(fatal=True):
                        fatal = event
                    case _:
                        pass
                if on_event is not None:
                    for one in (*own.before(event), event):
                        on_event(one)
            code = engine.wait(_ENDS_S)
        except subprocess.TimeoutExpired:
            last = "" if fatal is None else f"{_sentence(fatal)}; "
            kept = HostError(
                f"{last}{NAME} (process {engine.pid}) has not exited within {_ENDS_S:g} s of its last event",
                hint="it waits in the kernel: check with dmesg whether its disk still answers",
            )
            return JobOutcome(kept.exit_code, result, done, kept)
        said.seek(0)
        complaint = said.read().decode(errors="replace").strip()
    error = None if code == 0 else job_error(code, fatal, complaint)
    return JobOutcome(code, result, done, error)


class _OwnDoubts:
    """The doubts that a result's figures raise beyond those that its engine has said."""

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._threads = 0

    def before(self, event: Event) -> list[Doubt]:
        """Takes in an event, and returns the doubts that belong before it."""
        match event:
            case Hello():
                self._threads = event.threads
            case Doubt():
                self._said.add(event.kind)
            case RunResult():
                from assay.base.doubts import figures_of, unsaid_doubts  # numpy, which no help needs

                return list(unsaid_doubts(figures_of(event, threads=self._threads), self._said))
            case _:
                pass
        return []


@contextmanager
def started(
    command: list[str], words: list[str], said: IO[bytes], env: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts an engine, and kills it if it has not ended with the block; one that the kernel cannot end is
    left.

    Leaving the block of Popen itself would wait for it without limit.
    """
    engine = start(
        command,
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=said,
        env={**os.environ, **env},
    )
    try:
        yield engine
    finally:
        engine.kill()  # does nothing to one that has ended
        with suppress(subprocess.TimeoutExpired):
            engine.wait(_KILLED_S)
        for pipe in (engine.stdin, engine.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()


def _kept_line(event: Event, line: bytes) -> bytes:
    """Returns the line of an event as it is recorded: the text of a script, or of a statement that failed, is
    shortened where a reader of the folder would refuse the line for its length.
    """
    if len(line) <= _LONGEST_LINE:
        return line
    match event:
        case ErrorEvent():
            return msgspec.json.encode(replace(event, message=shortened(event.message))) + b"\n"
        case ScriptOutput():
            return msgspec.json.encode(replace(event, text=shortened(event.text))) + b"\n"
        case _:
            return line


def _open_events(path: Path | None) -> IO[bytes]:
    return Path(os.devnull).open("wb") if path is None else path.open("wb")


def _hand_over(engine: subprocess.Popen[bytes], job: AnyJob) -> None:
    assert engine.stdin is not None
    try:
        with engine.stdin as pipe:
            pipe.write(msgspec.json.encode(job))
    except BrokenPipeError:
        pass  # it ended early; its exit code and last words say why


def job_error(code: int, fatal: ErrorEvent | None, complaint: str) -> AssayError:
    """Returns the error of a job that ended with this exit code: the engine's last error, or else what it
    wrote beside its events (`complaint`). Both may quote a statement of any length: what is kept is short.
    """
    kind = _BY_EXIT_CODE.get(code, HostError)
    said = shortened(complaint) or None
    if fatal is not None:
        message, statement = _without_statement(_sentence(fatal))
        detail = None if statement is None else shortened(statement)
        if code == HostError.exit_code and speaks_of_rights(message):
            line = "io_uring" if "io_uring" in message else "devices" if "/dev/" in message else None
            if line is not None:
                return PrivilegeError("the load", refused(line, shortened(message)))
        return kind(shortened(message), hint=fatal.hint, detail=detail, code=fatal.code)
    if code < 0:
        return HostError(f"{NAME} was ended by signal {-code}", detail=said)
    return kind(f"{NAME} ended with exit code {code} without saying why", detail=said)


_LONG = 80
"""Characters above which a statement is shown apart from the server's error message."""
_PLACE = re.compile(r"([^'\"`(]{1,255}:[0-9]+: )(.*)", re.DOTALL)
"""File and line of a statement, before it."""


def _without_statement(message: str) -> tuple[str, str | None]:
    """Returns a server's error message, and apart from it the statement where that is long."""
    statement, between, said = message.partition(": server error ")
    if not between or len(statement) <= _LONG:
        return message, None
    table = re.search(r"1050 .*Table '([^']+)' already exists", said)
    if table:
        return f"{table[1]} is there already", statement
    place = _PLACE.fullmatch(statement)
    return f"{place[1] if place else ''}server error {said}", place[2] if place else statement


def _sentence(event: ErrorEvent) -> str:
    if event.code is None or str(event.code) in event.message:
        return event.message
    state = f" ({event.state})" if event.state else ""
    return f"{event.message} [server error {event.code}{state}]"
