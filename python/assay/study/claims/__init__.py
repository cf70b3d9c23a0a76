"""A claim as a tree: what "tps[a=4] > tps[a=1]" says. Parsed by `claim_parser`, judged by `verdict.claims`.

One kind of claim a file. `str(claim)` writes it back; parsing that text gives an equal claim. Every kind has
its `terms` from left to right, gives itself back `with_terms` changed, and says whether it `uses_margin`.
"""

from assay.study.claims.equal import EqualClaim
from assay.study.claims.every_run import EveryRunClaim
from assay.study.claims.level import LevelClaim
from assay.study.claims.order import OrderClaim
from assay.study.claims.ratio import RatioClaim
from assay.study.claims.terms import LADDERS, LoadKind, Selector, Term

Claim = OrderClaim | EqualClaim | RatioClaim | LevelClaim | EveryRunClaim

__all__ = [
    "LADDERS",
    "Claim",
    "EqualClaim",
    "EveryRunClaim",
    "LevelClaim",
    "LoadKind",
    "OrderClaim",
    "RatioClaim",
    "Selector",
    "Term",
]
