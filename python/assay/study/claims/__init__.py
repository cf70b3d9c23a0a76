"""A claim as a tree: what "tps[a=4] > tps[a=1]" says. One kind of claim a file, and its name in `Claim`.

    claim    := term relation term                        order (> < >= <=), equal (~)
              | term "/" term relation figure             ratio
              | term relation figure [unit]               level
              | term ("=" | order) figure [unit] "in every run"
    term     := [ kind "." ] measure [ "[" item { "," item } "]" ]
    item     := factor "=" level | "threads" "=" number | "rate" "=" number | "iodepth" "=" number
    relation := order | "~"
    order    := ">" | "<" | ">=" | "<="

Both terms of a claim have the same measure, or those of two phases of one window (`degraded_per_s` and
`healthy_per_s`). A kind is one of the workload's kinds of transactions, or a job on files; two kinds are
compared where they ran together.

A level with blanks, commas, brackets, quotes or "=" in it stands in double quotes, escaped as in JSON.
"""

from __future__ import annotations

from typing import get_args

from assay.study.claims.equal import EqualClaim
from assay.study.claims.every_run import EveryRunClaim
from assay.study.claims.kind import ClaimKind
from assay.study.claims.level import LevelClaim
from assay.study.claims.order import OrderClaim
from assay.study.claims.ratio import RatioClaim
from assay.study.claims.reader import ClaimReader, ClaimSyntaxError
from assay.study.claims.terms import LADDERS, LoadKind, Selector, Term

Claim = RatioClaim | EveryRunClaim | LevelClaim | EqualClaim | OrderClaim
"""Every kind, in the order in which a text is tried: the first that knows its form takes it.

Forms that begin with a word of their own stand first, then those that begin with a term, the longer of two
before the shorter. The last complains of what no kind knows.
"""

KINDS: tuple[type[ClaimKind], ...] = get_args(Claim)


def parse_claim(text: str) -> Claim:
    """The claim as written: factor names are not looked up, levels are text. Raises ClaimSyntaxError."""
    for kind in KINDS:
        reader = ClaimReader(text)
        claim = kind.parse(reader)
        if claim is not None:
            reader.end()
            return claim  # type: ignore[return-value]
    raise ClaimSyntaxError("no kind of claim has this form", text, 0)


__all__ = [
    "KINDS",
    "LADDERS",
    "Claim",
    "ClaimKind",
    "ClaimSyntaxError",
    "EqualClaim",
    "EveryRunClaim",
    "LevelClaim",
    "LoadKind",
    "OrderClaim",
    "RatioClaim",
    "Selector",
    "Term",
    "parse_claim",
]
