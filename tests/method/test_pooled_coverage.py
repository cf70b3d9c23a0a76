"""The bootstrap interval of a pooled percentile: how often it holds the truth."""

from __future__ import annotations

import numpy as np
import pytest
from assay.stats.pooled import pooled_percentile
from assay.tally import Histogram, decode_many, merge
from hdr_writer import encode_hdr, lognormal_bins


def study(random: np.random.Generator, blocks: int) -> list[list[Histogram]]:
    texts = []
    for _ in range(blocks):
        bins, share = lognormal_bins(2e6 * np.exp(random.normal(0, 0.05)), 0.4)
        texts += [encode_hdr(bins, random.multinomial(500, share)) for _ in range(10)]
    found = decode_many(texts)
    return [found[i : i + 10] for i in range(0, len(found), 10)]


@pytest.mark.parametrize(("blocks", "least"), [(6, 0.86), (12, 0.86)])
def test_interval_of_a_pooled_p95_holds_the_truth(blocks: int, least: float) -> None:
    random = np.random.default_rng(blocks)
    truth = float(merge([part for block in study(random, 400) for part in block]).percentiles([0.95])[0])
    found = [pooled_percentile(study(random, blocks), 0.95, draws=200, seed=i) for i in range(80)]
    held = np.mean([i.low <= truth <= i.high for i in found])
    assert least <= held <= 1.0
