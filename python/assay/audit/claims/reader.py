"""Reads a claim in words as statements that tables can answer, in these forms:

a > b > c        order; also >> << >= <= ~ between phrases or terms such as tps(noop)
argmax over {25,40,75,95} = 75; overall maximum tps at x=3000
load rises with threads; latency_avg(unindexed) rises with threads
qps(indexed) starts to collapse at 512 threads
qps(unindexed) = 14 at every thread count; latency(indexed) < 1 s; qps(indexed) ~ 12000
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Relation = Literal[">", "<", ">=", "<=", "~", "="]
_RELATION = re.compile(r"\s*(>>|<<|>=|<=|>|<|~|=(?!=))\s*")
_PLAIN: dict[str, Relation] = {
    ">>": ">",
    "<<": "<",
    ">": ">",
    "<": "<",
    ">=": ">=",
    "<=": "<=",
    "~": "~",
    "=": "=",
}
_NUMBER = re.compile(r"~?\s*([\d,]+(?:\.\d+)?)\s*(s|ms|us|MB/s|%)?(?=\s|$|,)")
_NOT_ASKED = re.compile(
    r"grows|gap|spread|mutex|waits|recommend|median|std|variation|share\(|ratio ~|safety|space"
)


@dataclass(frozen=True)
class Order:
    """A statement that one phrase exceeds another at each load point, in each table that has both."""

    left: str
    relation: Relation
    right: str
    context: str


@dataclass(frozen=True)
class Level:
    """A statement that compares a phrase with a figure."""

    phrase: str
    relation: Relation
    value: float
    unit: str
    context: str


@dataclass(frozen=True)
class Best:
    """A statement that names the best level of a factor."""

    levels: tuple[str, ...]
    best: str
    context: str
    overall: bool


@dataclass(frozen=True)
class Course:
    """A statement about a metric along the ladder: it rises, falls, or collapses from a load point on."""

    phrase: str
    does: Literal["rises", "falls", "collapses"]
    threads: float | None


Statement = Order | Level | Best | Course


def statements(text: str) -> Iterator[Statement]:
    """Yields the statements of a claim's text in the forms that this module knows; other phrases are
    skipped.
    """
    for clause in re.split(r";", text):
        if _NOT_ASKED.search(clause):
            continue
        yield from _one(clause.strip(), text)


def _one(clause: str, context: str) -> Iterator[Statement]:
    if found := re.search(r"argmax over [^{]*\{([^}]*)\}.*=\s*(\S+)", clause):
        yield Best(tuple(one.strip() for one in found[1].split(",")), found[2], clause, False)
    elif found := re.search(r"overall maximum .*?(\w+)\s*=\s*(\S+)", clause):
        yield Best((found[2],), found[2], clause, True)
    elif found := re.search(r"collapses? at (\d+) threads", clause):
        yield Course(clause, "collapses", float(found[1]))
    elif found := re.search(r"\b(rises|falls) with threads", clause):
        yield Course(clause, "rises" if found[1] == "rises" else "falls", None)
    elif "argmax" not in clause:
        yield from _relations(clause)


def _relations(clause: str) -> Iterator[Statement]:
    rungs = re.search(r"\bfor threads\s*[<>]=?\s*\d+.*|\bfor threads\b.*", clause)
    tail = rungs[0] if rungs else ""
    body = clause.replace(tail, "") if tail else clause
    body = re.sub(r"\(([^)]*)\)", lambda found: "(" + found[1].replace("=", "\0") + ")", body)
    previous = ""
    for part in re.split(r"\s+and\s+(?=both|[><~]|\w+\()", body):
        pieces = _RELATION.split(part)
        sides = [piece.replace("\0", "=").strip() for piece in pieces[::2]]
        if sides[0] in ("", "both"):
            sides[0] = previous
        for left, sign, right in zip(sides, pieces[1::2], sides[1:], strict=False):
            relation = _PLAIN[sign]
            number = _NUMBER.match(right)
            if number and left:
                yield Level(
                    left, relation, float(number[1].replace(",", "")), number[2] or "", f"{right} {tail}"
                )
            elif left and right:
                yield Order(left, relation, right, tail)
        previous = sides[0]
