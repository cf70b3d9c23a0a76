"""Statements become units: a statement alone, or what a session sent from BEGIN to COMMIT. Units of one kind
are counted together, and some of their executions are kept.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.experiments.own.binary_log import FORM as BINARY_LOG
from assay.experiments.own.named_tables import tables_in
from assay.experiments.own.statements import NULL, ReadStatement, Shape, Value
from assay.experiments.own.unfit import ENDS_SESSION, INSTEAD, NO_STATEMENT, commits, why_not
from assay.system.server import OF_SERVER

KEPT_MOST = 20_000
"""Executions of a unit of which the values are kept; of more, a sample."""
_BYTES_MOST = 32 << 20
"""Bytes of values that are kept of one unit, and so of a file of them."""
_LONGEST_UNIT = 200
_LONGEST_LOOP = 6


@dataclass(frozen=True)
class Execution:
    """One execution of a statement: its values, and how many each of its lists and repeated rows has."""

    values: tuple[Value, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Loop:
    """Statements of a unit that repeat: the first, and how many."""

    start: int
    length: int


@dataclass
class Unit:
    """A kind of unit. `shapes` in order, those of a loop once; `kept` has for each kept execution the
    executions of each statement, several in a loop.
    """

    shapes: tuple[Shape, ...]
    is_transaction: bool
    commits: bool = True
    database: str | None = None
    loops: tuple[Loop, ...] = ()
    count: int = 0
    seconds: float = 0.0
    name: str | None = None
    """The name of the file that has it, where the source is a folder."""
    kept: list[list[list[Execution]]] = field(default_factory=list)
    turns: dict[Loop, list[int]] = field(default_factory=dict)
    _held_bytes: int = 0
    _random: random.Random = field(default_factory=lambda: random.Random(1))

    def add(
        self, executions: list[list[Execution]], turns: dict[Loop, int], seconds: float, times: int = 1
    ) -> None:
        """Counts an execution so many times, and keeps it or not."""
        self.count += times
        self.seconds += seconds
        for loop, times in turns.items():
            lowest, highest = self.turns.setdefault(loop, [times, times])
            self.turns[loop] = [min(lowest, times), max(highest, times)]
        room = len(self.kept) < KEPT_MOST and self._held_bytes < _BYTES_MOST
        place = len(self.kept) if room else self._random.randrange(self.count)
        if room:
            self.kept.append(executions)
            self._held_bytes += _size(executions)
        elif place < len(self.kept):
            self._held_bytes += _size(executions) - _size(self.kept[place])
            self.kept[place] = executions

    @property
    def digest(self) -> str:
        return "+".join(shape.digest for shape in self.shapes)


def _databases(unit: Unit) -> dict[str, str]:
    """Returns the databases whose tables a unit names, by their names in small letters: whoever writes for
    Windows or macOS does not heed them.
    """
    named = [database or unit.database for shape in unit.shapes for database, _ in tables_in(shape)]
    return {name.lower(): name for name in named if name is not None}


def _size(executions: list[list[Execution]]) -> int:
    return sum(len(text) + 50 for several in executions for one in several for _, text in one.values)


_LACKS = {
    "slow log": "a slow log has only what lasted longer than its long_query_time",
    BINARY_LOG: "a binary log has only what writes",
}


@dataclass
class _Session:
    """What is open in a session."""

    statements: list[tuple[Shape, Execution]] | None = None
    database: str | None = None
    seconds: float = 0.0
    autocommit: bool = True
    name: str | None = None
    is_implicit: bool = False
    """Whether the open transaction began with a statement, as autocommit was off."""


class Collector:
    """Takes statements in the order of a log and makes units of them; counts what is left out by why."""

    def __init__(self) -> None:
        self.shapes: dict[int, Shape] = {}
        self.units: dict[object, Unit] = {}
        self.left_out: Counter[str] = Counter()
        self.statements = 0
        self.sessions: set[int] = set()
        self._open: dict[int | None, _Session] = {}
        self._in_log = False
        self._why_not: dict[int, str | None] = {}
        self.lacks = ""
        """What a source of this form has not."""
        self.with_rows: set[str] = set()
        """Tables that the source itself makes and fills, in small letters."""
        self.makers: set[tuple[str | None, str]] = set()
        """The name, in a folder, of each file that makes tables, and their database in small letters."""
        self.can_be_loaded = False
        """Whether a server takes the source as it is."""

    def form(self, name: str) -> None:
        """Hears the kind of file: in a log without numbers of connections nobody knows transactions, unless
        they stand in it one after the other.
        """
        self._in_log = name.endswith("log") and name != BINARY_LOG
        self.lacks = next((lacks for form, lacks in _LACKS.items() if name.endswith(form)), "")

    def take(self, one: ReadStatement, times: int = 1) -> None:
        """Takes the next statement, sent so many times, or what is in its place."""
        if one.shape is not None and one.parts is not None:
            self.shapes[one.shape] = Shape(one.shape, one.parts)
        if one.session is not None:
            self.sessions.add(one.session)
        if one.instead is not None:
            self._instead(one, times)
            return
        if one.shape is None:
            return
        self.statements += times
        shape = self.shapes[one.shape]
        session = self._open.setdefault(one.session, _Session())
        known = one.session is not None or not self._in_log
        if self._is_bound(shape, one, session, times, known=known):
            return
        if (why := self._unfit(shape, one)) is not None:
            self.left_out[why] += times
            if commits(shape.words):
                self._close(session, 0.0, commits=True)
            return
        execution = Execution(one.values, one.counts)
        seconds = one.seconds or 0.0
        if not session.autocommit and known and session.statements is None:
            session.statements = []
            session.is_implicit = True
        session.database = one.database or session.database
        session.name = one.name
        if session.statements is None:
            self._add(session, [(shape, execution)], seconds, times, is_transaction=False, commits=True)
        else:
            session.statements.append((shape, execution))
            session.seconds += seconds

    def leave_out_without_tables(self) -> None:
        """Leaves out what names no table: a file that makes tables tells its progress so."""
        for key, unit in list(self.units.items()):
            if not any(tables_in(shape) for shape in unit.shapes):
                self.left_out["without a table, in a file that makes some"] += unit.count
                del self.units[key]

    def end(self, database: str | None = None) -> tuple[str | None, list[Unit]]:
        """Returns the units of one database, the one that is given or the one with most statements, the most
        costly first. What other sessions have open stays without an end.
        """
        for session in self._open.values():
            self._cut(session)
        used = {key: _databases(unit) for key, unit in self.units.items()}
        counts: Counter[str] = Counter()
        for key, unit in self.units.items():
            for name in used[key].values():
                counts[name] += unit.count * len(unit.shapes)
        chosen = database or max(sorted(counts), key=counts.__getitem__, default=None)
        units = []
        for key, unit in self.units.items():
            others = sorted(name for lower, name in used[key].items() if lower != (chosen or "").lower())
            if others:
                self.left_out[f"in database {others[0]}"] += unit.count
            else:
                units.append(unit)
        units.sort(key=lambda unit: (-unit.seconds, -unit.count, unit.digest))
        return chosen, units

    def _instead(self, one: ReadStatement, times: int) -> None:
        word = one.instead or ""
        session = self._open.setdefault(one.session, _Session())
        if word in ENDS_SESSION:
            # The server has rolled back what was open.
            if not self._took_alone(session):
                self._close(session, 0.0, commits=False)
            self._open.pop(one.session)
        if word in INSTEAD:
            self.left_out[INSTEAD[word].format(line=one.line)] += times
        elif word == "schema":
            self._close(session, 0.0, commits=True)
        elif word not in NO_STATEMENT:
            self.left_out["other commands"] += times

    def _cut(self, session: _Session) -> None:
        """Ends what the source has not to its end."""
        if not self._took_alone(session) and session.statements:
            self.left_out["in a transaction without an end"] += len(session.statements)
        session.statements, session.seconds = None, 0.0

    def _took_alone(self, session: _Session) -> bool:
        """Takes the statements of an open transaction one by one, and returns whether it may: where
        autocommit was off, reads that lock nothing are a transaction for no other reason.
        """
        if not session.is_implicit or not all(_only_reads(shape) for shape, _ in session.statements or ()):
            return False
        statements, session.statements = session.statements or [], None
        each = session.seconds / max(len(statements), 1)
        for one in statements:
            self._add(session, [one], each, 1, is_transaction=False, commits=True)
        return True

    def _is_bound(
        self, shape: Shape, one: ReadStatement, session: _Session, times: int, *, known: bool
    ) -> bool:
        """Returns whether a statement begins or ends a transaction, and follows it."""
        words = shape.words
        begins = words[:1] == ["BEGIN"] or words[:2] == ["START", "TRANSACTION"]
        ends = words[:1] in (["COMMIT"], ["ROLLBACK"]) and "TO" not in words
        if (autocommit := _autocommit(shape, one)) is not None:
            if autocommit:
                self._close(session, one.seconds or 0.0, commits=True)
            session.autocommit = autocommit
            return True
        if not begins and not ends:
            return False
        if not known:
            self.left_out["BEGIN and COMMIT of unknown sessions"] += times
            return True
        if begins:
            self._close(session, 0.0, commits=True)
            session.statements, session.is_implicit = [], False
            session.seconds = one.seconds or 0.0
        else:
            self._close(session, one.seconds or 0.0, commits=words[0] == "COMMIT")
        return True

    def _close(self, session: _Session, seconds: float, *, commits: bool) -> None:
        if session.statements:
            if len(session.statements) > _LONGEST_UNIT * 50:
                self.left_out["in a transaction of more than 10,000 statements"] += len(session.statements)
            else:
                self._add(
                    session,
                    session.statements,
                    session.seconds + seconds,
                    1,
                    is_transaction=True,
                    commits=commits,
                )
        session.statements, session.seconds, session.is_implicit = None, 0.0, False

    def _unfit(self, shape: Shape, one: ReadStatement) -> str | None:
        """Returns why a statement cannot be part of a load; None where it can."""
        if shape.verb in ("SAVEPOINT", "RELEASE") or (shape.verb == "ROLLBACK" and "TO" in shape.words):
            inside = self._open[one.session].statements is not None
            return None if inside else f"{shape.verb} outside of a transaction"
        if shape.number not in self._why_not:
            self._why_not[shape.number] = why_not(shape)
        if (why := self._why_not[shape.number]) is not None:
            return why
        if one.error:
            return "failed, as the log says"
        return "about the server" if (one.database or "").lower() in OF_SERVER else None

    def _add(
        self,
        session: _Session,
        statements: Sequence[tuple[Shape, Execution]],
        seconds: float,
        times: int,
        *,
        is_transaction: bool,
        commits: bool,
    ) -> None:
        shapes, executions, turns = _folded(statements)
        if len(shapes) > _LONGEST_UNIT:
            self.left_out[f"in a transaction of more than {_LONGEST_UNIT} different statements"] += len(
                statements
            )
            return
        database = session.database
        key: tuple[object, ...] = (
            (database or "").lower(),
            is_transaction,
            commits,
            tuple(shape.number for shape in shapes),
        )
        unit = self.units.get(key)
        if unit is None:
            unit = self.units[key] = Unit(shapes, is_transaction, commits, database, tuple(turns))
        if not set(turns) <= set(unit.loops):
            if unit.loops:
                key = (*key, tuple(turns))
                unit = self.units.setdefault(
                    key, Unit(shapes, is_transaction, commits, database, tuple(turns))
                )
            else:
                unit.loops = tuple(turns)
                unit.turns = {loop: [1, 1] for loop in turns}
        unit.name = unit.name or session.name
        unit.add(executions, {loop: turns.get(loop, 1) for loop in unit.loops}, seconds, times)


def _only_reads(shape: Shape) -> bool:
    return shape.verb in ("SELECT", "WITH", "VALUES", "TABLE") and not {"UPDATE", "SHARE"} & set(shape.words)


def _autocommit(shape: Shape, one: ReadStatement) -> bool | None:
    """Returns to what a statement sets autocommit; None where it does not set it."""
    if shape.words[:1] != ["SET"]:
        return None
    values = iter(one.values)
    name = ""
    for part in shape.parts:
        said = next(values, NULL)[1] if part.kind == "value" else part.text
        if name == "AUTOCOMMIT" and part.kind != "symbol":
            return said.upper() not in ("0", "OFF", "FALSE")
        if part.kind in ("word", "variable"):
            name = said.rpartition(".")[2].lstrip("@").upper()
    return None


def _folded(
    statements: Sequence[tuple[Shape, Execution]],
) -> tuple[tuple[Shape, ...], list[list[Execution]], dict[Loop, int]]:
    """Returns statements with those that repeat, alone or several in turn, put together."""
    numbers = [shape.number for shape, _ in statements]
    shapes: list[Shape] = []
    executions: list[list[Execution]] = []
    loops: dict[Loop, int] = {}
    at = 0
    while at < len(statements):
        length, times = _loop_at(numbers, at)
        if times > 1:
            loops[Loop(len(shapes), length)] = times
        for place in range(length):
            turns = [statements[at + turn * length + place] for turn in range(times)]
            shapes.append(turns[0][0])
            executions.append([execution for _, execution in turns])
        at += length * times
    return tuple(shapes), executions, loops


def _loop_at(numbers: Sequence[int], at: int) -> tuple[int, int]:
    """Returns the length and the turns of the loop that begins at a statement and covers most."""
    best = (1, 1)
    for length in range(1, _LONGEST_LOOP + 1):
        turn = numbers[at : at + length]
        if len(turn) < length:
            break
        times = 1
        while numbers[at + times * length : at + (times + 1) * length] == turn:
            times += 1
        if times > 1 and length * times > best[0] * best[1]:
            best = (length, times)
    return best
