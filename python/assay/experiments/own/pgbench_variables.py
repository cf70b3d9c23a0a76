"""Variables of a script of pgbench: numbers, draws, and formulas of draws, which statements calculate."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_NAME = re.compile(r"(?<![:\w]):([A-Za-z_]\w*)")
_NAME_OR_QUOTED = re.compile(rf"'(?:[^']|'')*'|\"[^\"]*\"|{_NAME.pattern}")
_DIVIDED = "DIV"
_FUNCTIONS = {"abs": 1, "mod": 2, "greatest": 0, "least": 0}
"""Functions of numbers that SQL has by the same name, with how many values they take; 0: one or more."""
_OPERATORS: Mapping[type[ast.AST], tuple[str, Callable[..., float]]] = {
    ast.Add: ("+", operator.add),
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Mod: ("%", math.fmod),
}
SCALE = "scale"


OF_PGBENCH: Mapping[str, str] = {
    "client_id": "the number of the connection",
    "random_seed": "the seed of pgbench",
    "default_seed": "the seed of pgbench",
}
"""Variables that pgbench itself sets, and the load here has not."""


class NoCounterpartError(ValueError):
    """An expression that has no counterpart; the text says which part of it, `hint` what to do."""

    def __init__(
        self,
        what: str,
        hint: str = "put its value in its place, or write it into the statement that takes it",
    ) -> None:
        super().__init__(what)
        self.hint = hint


def no_such(name: str) -> NoCounterpartError:
    """Returns what to raise for a variable that nothing has set."""
    if name in OF_PGBENCH:
        return NoCounterpartError(
            f":{name}, {OF_PGBENCH[name]},", f"draw a number in its place, as in \\set {name} random(0, 15)"
        )
    return NoCounterpartError(
        f":{name}, which the script does not set,",
        f"write \\set {name} 1 above, with the value of -D {name}=…",
    )


def names_in(text: str) -> set[str]:
    """Returns the variables that SQL names outside of quotes."""
    return {found[1] for found in _NAME_OR_QUOTED.finditer(text) if found[1] is not None}


def parsed(expression: str) -> ast.expr:
    """Returns the tree of an expression of `\\set`. Raises NoCounterpartError for what cannot be read."""
    try:
        return ast.parse(_NAME.sub(r"\1", expression).replace("\n", " ").strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise NoCounterpartError(expression) from None


@dataclass
class Variables:
    """What a script has set so far. A statement names draws and numbers; a formula stands in it as text."""

    numbers: dict[str, float] = field(default_factory=dict)
    drawn: set[str] = field(default_factory=set)
    formulas: dict[str, str] = field(default_factory=dict)
    scale_is_taken: bool = False
    _outdated: set[str] = field(default_factory=set)

    def is_set(self, name: str) -> bool:
        return name in self.numbers or name in self.drawn or name in self.formulas

    def draw(self, name: str) -> None:
        """Notes that a name has another value in each transaction from here on."""
        self._forget(name)
        self.drawn.add(name)

    def set_number(self, name: str, value: float) -> None:
        self._forget(name)
        self.numbers[name] = value

    def set_formula(self, name: str, node: ast.expr) -> None:
        """Notes a formula of other values. Raises NoCounterpartError for what SQL does not calculate."""
        text = self._sql(node)
        self._forget(name)
        self.formulas[name] = text

    def number(self, node: ast.expr) -> float | None:
        """Returns the value of an expression; None where it has another in each transaction.

        Raises NoCounterpartError for a name that nothing has set, and for what is no arithmetic.
        """
        match node:
            case ast.Constant(value=int() | float() as value):
                return value
            case ast.Name(id=name):
                return self._of_name(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                negated = self.number(operand)
                return None if negated is None else -negated
            case ast.BinOp(left=left, op=how, right=right) if (
                isinstance(how, ast.Div) or type(how) in _OPERATORS
            ):
                values = [known for one in (left, right) if (known := self.number(one)) is not None]
                if len(values) < 2:
                    return None
                if isinstance(how, ast.Add | ast.Sub | ast.Mult):
                    return _OPERATORS[type(how)][1](*values)
                if values[1]:
                    found = values[0] / values[1] if isinstance(how, ast.Div) else math.fmod(*values)
                    return math.trunc(found) if all(isinstance(one, int) for one in values) else found
            case ast.Call(func=ast.Name(id=name), args=values, keywords=[]) if _takes(name, len(values)):
                for one in values:
                    self.number(one)
                return None
        raise NoCounterpartError(ast.unparse(node))

    def in_statement(self, text: str) -> str:
        """Returns a line of SQL with formulas in the place of their names. Raises NoCounterpartError for a
        formula one of whose values has been drawn anew since.
        """

        def put(found: re.Match[str]) -> str:
            name = found[1]
            if name in self._outdated:
                raise NoCounterpartError(f":{name}, of a value that is drawn anew before it is used,")
            return self.formulas.get(name, found[0]) if name is not None else found[0]

        return _NAME_OR_QUOTED.sub(put, text)

    def _of_name(self, name: str) -> float | None:
        if name in self.numbers:
            return self.numbers[name]
        if self.is_set(name):
            return None
        if name == SCALE:
            self.scale_is_taken = True
            return 1
        raise no_such(name)

    def _sql(self, node: ast.expr) -> str:
        value = self.number(node)
        if value is not None:
            return written(value)
        match node:
            case ast.Name(id=name) if name in self._outdated:
                raise NoCounterpartError(f":{name}, of a value that is drawn anew before it is used,")
            case ast.Name(id=name):
                return self.formulas.get(name, f":{name}")
            case ast.UnaryOp(operand=operand):
                return f"(-{self._sql(operand)})"
            case ast.BinOp(left=left, op=how, right=right):
                sign = _OPERATORS[type(how)][0] if type(how) in _OPERATORS else self._division(node)
                return f"({self._sql(left)} {sign} {self._sql(right)})"
            case ast.Call(func=ast.Name(id=name), args=values):
                return f"{name.upper()}({', '.join(map(self._sql, values))})"
        raise NoCounterpartError(ast.unparse(node))

    def _division(self, node: ast.expr) -> str:
        """Returns how SQL divides as pgbench does: whole numbers have a whole quotient."""
        parts = [*ast.walk(node)]
        values = [one.value for one in parts if isinstance(one, ast.Constant)]
        values += [
            self.numbers[one.id] for one in parts if isinstance(one, ast.Name) and one.id in self.numbers
        ]
        return "/" if any(isinstance(one, float) for one in values) else _DIVIDED

    def _forget(self, name: str) -> None:
        for known in (self.numbers, self.formulas):
            known.pop(name, None)
        self.drawn.discard(name)
        self._outdated.discard(name)
        self._outdated.update(one for one, text in self.formulas.items() if name in names_in(text))


def _takes(name: str, values: int) -> bool:
    return name in _FUNCTIONS and values > 0 and _FUNCTIONS[name] in (0, values)


def written(value: float) -> str:
    """Returns a number as SQL and annotations have it."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))
