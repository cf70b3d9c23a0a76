"""Makes a file of statements of a script of pgbench: its commands `\\set`, `\\sleep` and `\\gset` become
annotations (PostgreSQL manual, "pgbench: Custom Scripts").
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import NormalDist
from typing import TypeVar

from assay.base.errors import InputError
from assay.base.printable import line
from assay.base.wording import counted
from assay.design.study import is_of_pgbench
from assay.experiments.own.naming import plain
from assay.experiments.own.pgbench_variables import (
    OF_PGBENCH,
    SCALE,
    NoCounterpartError,
    Variables,
    names_in,
    no_such,
    parsed,
    written,
)
from assay.experiments.own.whole_file import WholeFile
from assay.experiments.own.writing import FOLDER, Pages

_COMMAND = re.compile(r"[ \t]*\\(\w+)[ \t]*(.*)")
_GSET = re.compile(r"\\gset\b[ \t]*(\w*)[ \t]*$", re.I)
_END = re.compile(r"(?:END|COMMIT)(?:\s+(?:WORK|TRANSACTION))?\s*;", re.I)
_THINK = re.compile(r"(:?\w+)\s*(us|ms|s)?")
_COMMANDS = ("if", "elif", "else", "endif", "gset", "aset", "setshell", "shell")
"""Commands without a counterpart, of pgbench 17; others are of psql."""
_PIPELINE = ("startpipeline", "endpipeline", "syncpipeline")
_POOL = 10_000
"""Values that stand for a law without a draw: its quantiles, each once."""


_Read = TypeVar("_Read")
_Found = TypeVar("_Found")


@dataclass
class Converted:
    """A file of statements that a script has become, and what a person is told of it."""

    pages: Pages
    statements: int
    remarks: list[str] = field(default_factory=list)


def converted(file: WholeFile, head: list[str]) -> Converted | None:
    """Returns the file that a script of pgbench becomes, below a head of comments; None for any other file.
    Raises InputError with the line of a command that has no counterpart.
    """
    return _Script(file.path).read(file.head, head) if file.is_short and is_of_pgbench(file.head) else None


class _Script:
    """Reads a script line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = plain(path.stem)
        self.number = 0
        self.lines: list[str] = []
        self.variables = Variables()
        self.used: set[str] = set()
        self.ready: set[str] = set()
        self.think = ""
        self.files: dict[str, str] = {}
        self.remarks: list[str] = []
        self.statements = 0
        self.statement = ""

    def read(self, text: str, head: list[str]) -> Converted:
        source = text.replace("\r\n", "\n").removeprefix("\ufeff")
        sql = "\n".join(
            one for one in source.split("\n") if not (one.strip().startswith("--") or _COMMAND.match(one))
        )
        self.used = names_in(sql)
        for number, content in _logical_lines(source):
            self.number = number
            if (
                command := _COMMAND.fullmatch(content)
            ) is not None and not content.lstrip().lower().startswith("\\gset"):
                self._command(command[1].lower(), command[2].strip())
            else:
                self._sql(content)
        given = sorted(self.used - self.ready)
        for name in given:
            if name in OF_PGBENCH:
                error = no_such(name)
                raise self._refused(str(error), error.hint)
        options = [f"-- @option {name.lower()} = 1: what pgbench is given by -D {name}=…" for name in given]
        lets = [f"-- @let {name} = ${name.lower()}" for name in given]
        think = f" think={self.think}" if self.think else ""
        parts = [
            "\n".join(f"-- {one}" for one in [*head, *self.remarks]),
            *(["\n".join(options)] if options else []),
            "\n".join([f"-- @transaction {self.name}{think}", *lets, *_trimmed(self.lines), "-- @end"]),
        ]
        return Converted(Pages("\n\n".join(parts) + "\n", self.files), self.statements, self.remarks)

    def _command(self, command: str, rest: str) -> None:
        if command in ("set", "setrandom"):
            name, expression = [*rest.split(maxsplit=1), "", ""][:2]
            self._set(name, _of_setrandom(expression) if command == "setrandom" else expression)
        elif command == "sleep":
            found = _THINK.fullmatch(rest)
            if found is None or not found[1].isdigit():
                raise self._refused(f"\\sleep {rest}", "write a number and its unit, as in \\sleep 10 ms")
            self.think = f"{found[1]}{found[2] or 's'}"
        elif command in _PIPELINE:
            self._remark("Answers are awaited one by one: the protocol has no pipeline of them")
        elif command not in _COMMANDS:
            raise InputError(
                f"{self.path}:{self.number}: \\{command} is no command of pgbench",
                hint="leave it out: it is for psql, and no load sends it",
            )
        else:
            raise self._refused(
                f"\\{command}", "leave it out, or write what it does with @if, @repeat or another draw"
            )

    def _sql(self, content: str) -> None:
        if (
            self.think
            and content.strip()
            and not content.lstrip().startswith("--")
            and not _END.match(content.strip())
        ):
            raise self._refused(
                "\\sleep between statements", "put it at the end: a connection thinks after a transaction"
            )
        saves: dict[str, str] = {}
        self.statement += f"{content}\n"
        if (found := _GSET.search(content)) is not None:
            prefix = found[1]
            content = content[: found.start()].rstrip().removesuffix(";") + ";"
            of_answer = {
                name: name.removeprefix(prefix)
                for name in sorted(self.used - self.ready)
                if name.startswith(prefix)
            }
            saves = {
                name: column
                for name, column in of_answer.items()
                if re.search(rf"(?<![:\w]){re.escape(column)}\b", self.statement)
            }
        if content.rstrip().endswith(";"):
            self.statements += 1
            self.statement = ""
        content = _END.sub("COMMIT;", content) if _END.fullmatch(content.strip()) else content
        if content.lstrip().startswith("--"):
            # A comment of the script says nothing to the file.
            self.lines.append(content.replace("-- @", "-- at "))
        else:
            self.lines.append(self._told(self.variables.in_statement, content))
        if saves:
            columns = [name if name == column else f"{name} = {column}" for name, column in saves.items()]
            self.lines.append(f"-- @save {', '.join(columns)}")
            for name in saves:
                self._is_ready(name)

    def _set(self, name: str, expression: str) -> None:
        try:
            node = parsed(expression)
        except NoCounterpartError:
            raise self._refused(f"\\set {name} {expression}", "write numbers and a draw of pgbench") from None
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id.startswith("random")
        ):
            self.drawn(name, node, node.func.id)
            return
        node = _Draws(self, name).visit(node)
        value = self._told(self.variables.number, node)
        if value is None:
            self._told(lambda one: self.variables.set_formula(name, one), node)
            self.ready.add(name)
        else:
            self.variables.set_number(name, value)
            if name in self.used:
                self.lines.append(f"-- @let {name} = {written(value)}")
                self.ready.add(name)
        if self.variables.scale_is_taken:
            self._remark(f":{SCALE} is 1 here: change the numbers for another")

    def drawn(self, name: str, node: ast.Call, law: str) -> str:
        """Writes the draw of a variable, and returns its name."""
        self.lines.append(f"-- @let {name} = {self._draw(name, law, node.args, ast.unparse(node))}")
        self._is_ready(name)
        return name

    def _is_ready(self, name: str) -> None:
        self.variables.draw(name)
        self.ready.add(name)

    def _told(self, read: Callable[[_Read], _Found], what: _Read) -> _Found:
        try:
            return read(what)
        except NoCounterpartError as error:
            raise self._refused(str(error), error.hint) from None

    def _draw(self, name: str, law: str, arguments: list[ast.expr], expression: str) -> str:
        values = [self._told(self.variables.number, one) for one in arguments]
        if self.variables.scale_is_taken:
            self._remark(f":{SCALE} is 1 here: change the numbers for another")
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            raise self._refused(
                f"a draw between other draws ({line(expression)})", "write numbers for its ends"
            )
        match law, known:
            case "random", [low, high]:
                return f"int({int(low)}..{int(high)})"
            case "random_zipfian", [low, high, theta]:
                return f"int({int(low)}..{int(high)}, zipf {written(theta)})"
            case "random_exponential" | "random_gaussian", [low, high, parameter]:
                return self._pool(name, law, int(low), int(high), parameter)
            case _:
                raise self._refused(
                    f"{law}() with {counted(len(known), 'value')}",
                    "write random(), random_zipfian(), random_gaussian() or a number",
                )

    def _pool(self, name: str, law: str, low: int, high: int, parameter: float) -> str:
        file = f"{FOLDER}/{self.name}-{plain(name)}.csv"
        rows = [str(value) for value in _quantiles(law, low, high, parameter)]
        self.files[file] = "\n".join([name, *rows]) + "\n"
        self._remark(f":{name} is of {file}: {_POOL:,} values that have the frequencies of {law}")
        return f"csv({file}: {name})"

    def _remark(self, text: str) -> None:
        if f"{text}." not in self.remarks:
            self.remarks.append(f"{text}.")

    def _refused(self, what: str, hint: str) -> InputError:
        return InputError(
            f"{self.path}:{self.number}: {what} of pgbench has no counterpart here",
            hint=f"{hint}; guide from-mysqlslap-and-pgbench has the list",
        )


class _Draws(ast.NodeTransformer):
    """Puts a variable in the place of each draw that stands in a formula: `random(1, 9) * 10`."""

    def __init__(self, script: _Script, name: str) -> None:
        self._script, self._name, self._count = script, name, 0

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id.startswith("random")):
            return node
        self._count += 1
        return ast.Name(self._script.drawn(f"{self._name}_{self._count}", node, node.func.id))


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields lines with their numbers; a command whose line ends with a backslash goes on in the next."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        first, content = at, lines[at]
        while content.lstrip().startswith("\\") and content.endswith("\\") and at + 1 < len(lines):
            at += 1
            content = f"{content[:-1]} {lines[at]}"
        yield first + 1, content
        at += 1


def _of_setrandom(text: str) -> str:
    """Returns the function that does what `\\setrandom` of versions before 9.6 does with this text."""
    low, high, law, parameter, *_ = [*text.split(), *["", "", "", ""]]
    if law in ("gaussian", "exponential"):
        return f"random_{law}({low}, {high}, {parameter})"
    return f"random({low}, {high})"


def _trimmed(lines: list[str]) -> list[str]:
    """Returns lines without those that are empty."""
    return [one.rstrip() for one in lines if one.strip()]


def _quantiles(law: str, low: int, high: int, parameter: float) -> Iterator[int]:
    """Yields the quantiles of a law of pgbench between two ends (manual, "random functions"): of a normal
    distribution that is cut at so many standard deviations, or of an exponential one that is cut at 1.
    """
    normal = NormalDist()
    outside = normal.cdf(-parameter)
    for number in range(_POOL):
        share = (number + 0.5) / _POOL
        if law == "random_gaussian":
            place = (normal.inv_cdf(outside + share * (1 - 2 * outside)) + parameter) / (2 * parameter)
        else:
            cut = math.exp(-parameter)
            place = -math.log(1 - share * (1 - cut)) / parameter
        yield low + min(high - low, int((high - low + 1) * place))
