"""Imports SciPy's distribution functions when one of them is first needed.

That takes a fifth of a second. A command that ends before it computes a figure needs none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from scipy.special import (
        betaincinv,
        chdtri,
        fdtrc,
        gammaincinv,
        gammaln,
        nctdtr,
        ndtr,
        ndtri,
        stdtr,
        stdtrit,
    )

__all__ = [
    "betaincinv",
    "chdtri",
    "fdtrc",
    "gammaincinv",
    "gammaln",
    "nctdtr",
    "ndtr",
    "ndtri",
    "stdtr",
    "stdtrit",
]

__getattr__ = lazily(__name__, __file__)
