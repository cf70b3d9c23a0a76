"""Tests whether groups of values have one mean, such as the ratios that several hosts measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.results.stats import special


@dataclass(frozen=True)
class Heterogeneity:
    """The p-value of "all groups have one mean", and the standard deviation of the groups' true means: 0
    where what is seen is no more than the values within groups explain.
    """

    p_value: float
    between_sd: float


def heterogeneity(groups: Sequence[ArrayLike]) -> Heterogeneity | None:
    """Returns how far groups of values disagree; None below two groups, or where no group has two values.

    One-way analysis of variance: the mean square between groups over that within them, by Fisher's F. It is
    what Cochran's Q over its degrees becomes where the variance within groups is one and has to be estimated:
    Q takes it as known, and with a handful of values a group calls equal groups different far too often
    (Hartung and Knapp, 2001). The variance between groups is that of moments, (MSB - MSW) / n0, with
    n0 = (N - sum(n^2) / N) / (k - 1).
    """
    values = [np.asarray(group, dtype=np.float64) for group in groups]
    values = [group for group in values if group.size]
    sizes = np.array([group.size for group in values])
    count, total = len(values), int(sizes.sum())
    if count < 2 or total <= count:
        return None
    means = np.array([np.add.reduce(group) for group in values]) / sizes
    middle = float(means @ sizes) / total
    away = np.concatenate(values) - np.repeat(means, sizes)
    within = float(away @ away) / (total - count)
    between = float(sizes @ (means - middle) ** 2) / (count - 1)
    p_value = special.fdtrc(count - 1, total - count, between / within) if within else between == 0
    usual = (total - float(sizes @ sizes) / total) / (count - 1)
    return Heterogeneity(float(p_value), math.sqrt(max(between - within, 0.0) / usual))
