"""A claim as a tree: what "tps[a=4] > tps[a=1]" says. One kind of part a file, and its name in `ClaimPart`.

    claim      := part { "and" part | "or" part } [ "at" [ "some" ] axis range ] [ window ]
    part       := comparison | objective | every run | course | best | knee | crossover | cause
    comparison := side relation side [ band ] { relation side [ band ] } [ "over" axis ]
    side       := expression | figure [ unit ] | ( "max" | "min" | "spread" ) term "over" axis { "," axis }
    expression := quotient [ "-" quotient ]
    quotient   := own [ "/" own ]
    own        := term [ window ]
    every run  := own ( "=" | order ) figure [ unit ] "in" ( "every run" | figure "% of runs" )
    objective  := "max" ( load | term ) "with" limit { ( "," | "at" ) limit } [ "over" axis ] [ order figure ]
    limit      := term order figure [ unit ]
    course     := expression ( "rises" | "falls" | "is flat" ) "over" axis [ band ]
    best       := ( "best" | "worst" ) term "over" axis ( range | "!=" points | "is" end )
    end        := "inside" | "first" | "last"
    knee       := bend ( range | ( order | "~" ) bend )
    bend       := ( "knee" | "collapse" ) [ figure "%" ] term "over" axis
    crossover  := "crossover" term "," term "over" axis range
    cause      := "bottleneck" [ selector ] ( "=" | "!=" ) ( "cpu" | "disk" | "lock" | "log" | "client" )
    term       := measure [ summary ] [ selector ] | measure selector summary
    summary    := "(" ( "cv" | "sd" | "median" | "max" | "min" ) "," ( time | "runs" ) ")"
    measure    := [ kind "." ] name | "status." name "per" ( "query" | "transaction" | "s" ) | "fact." name
    selector   := "[" item { "," item } "]"
    item       := factor "=" ( level { "|" level } | "other" | "some" ) | load "=" number
    range      := "=" point ".." point | "=" points | order point
    points     := point { "|" point }
    window     := "in" ( "first" | "last" ) time | ( "before" | "after" ) ( "full_pool" | time )
    band       := "by" figure [ "to" figure ] ( "%" | "x" )
    axis       := load | factor | "time"
    load       := "threads" | "rate" | "iodepth"
    relation   := order | "~" | "!~"
    order      := ">" | "<" | ">=" | "<="

A claim joins its parts by "and" or by "or", not by both. A window behind the last side is the claim's, unless
a side before it has its own. Of runs there are `cv` and `sd` alone.

What is compared has the same measure, or those of two phases of one window (`degraded_per_s` and
`healthy_per_s`); a quotient may also be one of two measures at one place. A kind is one of the workload's
kinds of transactions, or a job on files; two kinds are compared where they ran together.

A level with blanks, commas, brackets, quotes, "=" or "|" in it stands in double quotes, escaped as in JSON.
"""

from __future__ import annotations

from typing import get_args

from assay.design.study.claims.axes import At, Axis, Between, Beyond, OneOf, Order, Range, position, within
from assay.design.study.claims.best import BestClaim
from assay.design.study.claims.cause import CauseClaim
from assay.design.study.claims.claim import Claim, ClaimPart
from assay.design.study.claims.comparison import MIRRORED, ComparisonClaim, Link
from assay.design.study.claims.course import CourseClaim
from assay.design.study.claims.crossover import CrossoverClaim
from assay.design.study.claims.every_run import EveryRunClaim
from assay.design.study.claims.expressions import joined
from assay.design.study.claims.joint import Joint
from assay.design.study.claims.kind import ClaimKind, nodes, rewritten
from assay.design.study.claims.knee import Bend, KneeClaim
from assay.design.study.claims.objective import Objective, ObjectiveClaim
from assay.design.study.claims.ranges import place, place_after_at, window
from assay.design.study.claims.reader import ClaimReader, ClaimSyntaxError, Relation
from assay.design.study.claims.sides import Band, Difference, Extreme, Figure, Quotient, Side
from assay.design.study.claims.terms import LADDERS, Among, LoadKind, Selector, Summary, Term
from assay.design.study.claims.windows import Window

KINDS: tuple[type[ClaimKind], ...] = get_args(ClaimPart)


def parse_claim(text: str) -> Claim:
    """Parses a claim; factor names are not looked up, and levels are text. Raises ClaimSyntaxError."""
    reader = ClaimReader(text)
    parts, joint = _parts(reader)
    start = reader.skip()
    claim = Claim(parts, place(reader), window(reader), joint)
    if claim.window is not None and any(term.window is not None for term in claim.terms):
        reader.fail("its sides have parts of the window of their own: keep one of them", start)
    if claim.at is not None and claim.at.axis.is_load:
        for term in claim.terms:
            if term.selector.load is not None:
                reader.fail(f'"{term}" has its own {term.selector.load_kind}: keep one of them', start)
    reader.end()
    return claim


def parse_at(text: str) -> At:
    """Parses the place where claims hold, without the word "at": `threads >= 16`. Raises ClaimSyntaxError."""
    reader = ClaimReader(text)
    found = place_after_at(reader)
    reader.end()
    return found


def _parts(reader: ClaimReader) -> tuple[tuple[ClaimPart, ...], Joint]:
    parts, joints = [_part(reader)], set[Joint]()
    at = reader.skip()
    while (joint := joined(reader)) is not None:
        reader.wrote_window = False
        joints.add(joint)
        if len(joints) > 1:
            reader.fail(
                'joins parts by "and" and by "or": write several claims, as in claims = ["…", "…"]', at
            )
        parts.append(_part(reader))
        at = reader.skip()
    return tuple(parts), "or" if joints == {"or"} else "and"


def _part(reader: ClaimReader) -> ClaimPart:
    start = reader.at
    for kind in KINDS[:-1]:
        part = kind.parse(reader)
        if part is not None:
            return part  # type: ignore[return-value]
        reader.at, reader.wrote_window = start, False
    return ComparisonClaim.parse(reader)


__all__ = [
    "KINDS",
    "LADDERS",
    "MIRRORED",
    "Among",
    "At",
    "Axis",
    "Band",
    "Bend",
    "BestClaim",
    "Between",
    "Beyond",
    "CauseClaim",
    "Claim",
    "ClaimKind",
    "ClaimPart",
    "ClaimSyntaxError",
    "ComparisonClaim",
    "CourseClaim",
    "CrossoverClaim",
    "Difference",
    "EveryRunClaim",
    "Extreme",
    "Figure",
    "KneeClaim",
    "Link",
    "LoadKind",
    "Objective",
    "ObjectiveClaim",
    "OneOf",
    "Order",
    "Quotient",
    "Range",
    "Relation",
    "Selector",
    "Side",
    "Summary",
    "Term",
    "Window",
    "nodes",
    "parse_at",
    "parse_claim",
    "position",
    "rewritten",
    "within",
]
