"""Runs a case with one tool, and reads what the server has counted meanwhile."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace

from assay.system.server import Instance

from benchmarks.counts.cases import Case
from benchmarks.counts.tools import Ended, carry_out

_QUIET_S = 300.0
_OF_THE_READER = frozenset({"Com_show_status"})
_LIMIT_S = 120.0


@dataclass(frozen=True)
class Run:
    """One run of a script: how it ended, and the statements that the server counted meanwhile, by kind."""

    ended: Ended
    counted: Counter[str]


@dataclass
class Trial:
    """A case with one tool. `short` is a run of few events: what runs have in common beside their events."""

    short: Run | None = None
    whole: Run | None = None
    failures: list[str] = field(default_factory=list)


def counters(server: Instance) -> Counter[str]:
    """Returns the server's counters of statements, once it has read the last ones: closing has no answer."""
    deadline = time.monotonic() + _QUIET_S
    with closing(server.connect()) as connection:
        while connection.rows("SHOW GLOBAL STATUS LIKE 'Threads_connected'", columns=2)[0][1] != "1":
            if time.monotonic() > deadline:
                raise TimeoutError("connections to the server stay open")
            time.sleep(0.02)
        rows = connection.rows("SHOW GLOBAL STATUS LIKE 'Com\\_%'", columns=2)
    return Counter({str(name): int(str(value)) for name, value in rows if name not in _OF_THE_READER})


def try_case(tool: str, case: Case, server: Instance, threads: int, seconds: float) -> Trial:
    """Carries out a case in an empty database: tables are made, a short and a whole run, tables dropped."""
    with closing(server.connect()) as connection:
        # A script that failed half-way through XA transactions leaves them prepared, and its tables locked.
        recovered = connection.rows("XA RECOVER", columns=4)
        left = [f"XA ROLLBACK {_xid(*row)}" for row in recovered]
        for statement in (*left, "DROP DATABASE IF EXISTS assay", "CREATE DATABASE assay", *case.setup):
            connection.rows(statement, columns=0)
    return _Trying(tool, case, server, threads, seconds).carry_out()


def _xid(format_id: object, global_length: object, branch_length: object, data: object) -> str:
    """Returns a transaction's name as XA ROLLBACK takes it, from a row of XA RECOVER."""
    name = data if isinstance(data, bytes) else str(data).encode()
    first = int(str(global_length))
    parts = (name[:first], name[first : first + int(str(branch_length))])
    return ",".join([*(f"X'{part.hex()}'" for part in parts), str(format_id)])


@dataclass(frozen=True)
class _Trying:
    tool: str
    case: Case
    server: Instance
    threads: int
    seconds: float

    def carry_out(self) -> Trial:
        trial = Trial()
        trial.failures += self._commands(self.case.before)
        trial.short = self._run(["--events=1", "--time=0"], events=1)
        if self.case.fresh:
            trial.failures += [*self._commands(self.case.after), *self._commands(self.case.before)]
        events = self.case.events
        limits = [f"--events={events}", "--time=0"] if events else [f"--time={self.seconds:g}"]
        trial.whole = self._run(limits, events=events or None)
        trial.failures += self._commands(self.case.after)
        for run in (trial.short, trial.whole):
            if run.ended.code != 0:
                trial.failures.append(f"run: {run.ended.code}: {run.ended.complaint}")
        return trial

    def _commands(self, names: list[str]) -> Iterator[str]:
        for name in names:
            ended = self._do(name.split())
            if ended.code != 0:
                yield f"{name}: {ended.code}: {ended.complaint}"

    def _run(self, limits: list[str], *, events: int | None) -> Run:
        """Runs the script; where it reports itself, its events are those that it was given."""
        before = counters(self.server)
        ended = self._do([*limits, "run"])
        if ended.events is None:
            ended = replace(ended, events=events)
        after = counters(self.server)
        after.subtract(before)
        return Run(ended, Counter({name: count for name, count in after.items() if count}))

    def _do(self, words: list[str]) -> Ended:
        where = [f"--mysql-socket={self.server.socket}", "--mysql-user=root", "--mysql-db=assay"]
        common = [*where, *self.case.options, f"--threads={self.threads}"]
        limit_s = self.seconds + _LIMIT_S
        return carry_out(self.tool, [self.case.script, *common, *words], self.case.folder, limit_s)
