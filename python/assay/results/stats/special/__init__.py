"""Distribution functions: of the normal, Student's t, F, chi-squared, beta and gamma distributions.

The names are those of SciPy, which is the referee of every one of them in `tests/stats/test_special.py`; it
would be a fifth of everything that an installation downloads.
"""

from assay.results.stats.special.beta import betaincinv, fdtrc
from assay.results.stats.special.gamma import chdtri, gammaincinv, gammaln
from assay.results.stats.special.normal import ndtr, ndtri
from assay.results.stats.special.root import crossing
from assay.results.stats.special.student import nctdtr, stdtr, stdtrit, two_sided

__all__ = [
    "betaincinv",
    "chdtri",
    "crossing",
    "fdtrc",
    "gammaincinv",
    "gammaln",
    "nctdtr",
    "ndtr",
    "ndtri",
    "stdtr",
    "stdtrit",
    "two_sided",
]
