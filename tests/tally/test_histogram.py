"""HDR histograms read as arrays agree with the reference implementation and with the values themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from assay.base.tally import decode, decode_many, merge
from hdrh.histogram import HdrHistogram


def reference(values: np.ndarray, highest: int = 3_600_000_000_000) -> HdrHistogram:
    histogram = HdrHistogram(1, highest, 3)
    for value in values.tolist():
        histogram.record_value(int(value))
    return histogram


def text_of(histogram: HdrHistogram) -> str:
    return histogram.encode().decode()


VALUES = {
    "one": np.array([5]),
    "small": np.arange(1, 3000),
    "wide": np.random.default_rng(1).lognormal(14, 2.5, 20_000).clip(1, 3e12),
    "ties": np.repeat([1000, 2_000_000], 40_000),
}


@pytest.mark.parametrize("name", VALUES)
def test_figures_are_those_of_the_reference(name: str) -> None:
    expected = reference(VALUES[name])
    found = decode(text_of(expected))
    shares = [0.001, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0]
    assert found.total == expected.get_total_count()
    ordered = np.sort(VALUES[name].astype(np.int64))
    true = [ordered[math.ceil(round(share * ordered.size, 6)) - 1] for share in shares]
    assert found.percentiles(shares).tolist() == [expected.get_highest_equivalent_value(v) for v in true]
    assert found.mean == pytest.approx(expected.get_mean_value(), rel=1e-12)
    assert found.max == expected.get_max_value()


def test_many_at_once_are_the_same_as_one_by_one() -> None:
    texts = [text_of(reference(values)) for values in VALUES.values()] * 2
    for text, found in zip(texts, decode_many(texts), strict=True):
        alone = decode(text)
        assert found.index.tolist() == alone.index.tolist()
        assert found.counts.tolist() == alone.counts.tolist()


def test_an_empty_one_among_others_takes_nothing_from_them() -> None:
    empty, full = text_of(HdrHistogram(1, 3_600_000_000_000, 3)), text_of(reference(VALUES["small"]))
    found = decode_many([empty, full, empty])
    assert [h.total for h in found] == [0, 2999, 0]
    assert np.isnan(found[0].mean)
    assert np.isnan(found[0].percentiles([0.5])).all()
    assert np.isnan(decode(empty).max)


def test_merged_is_the_histogram_of_all_values() -> None:
    parts = [VALUES["wide"][::2], VALUES["wide"][1::2], VALUES["ties"]]
    together = merge([decode(text_of(reference(part))) for part in parts])
    expected = decode(text_of(reference(np.concatenate(parts))))
    assert together.index.tolist() == expected.index.tolist()
    assert together.counts.tolist() == expected.counts.tolist()


def test_histograms_of_different_range_merge_when_their_bins_agree() -> None:
    short = decode(text_of(reference(np.array([10, 20]), highest=1_000_000)))
    assert merge([short, decode(text_of(reference(VALUES["wide"])))]).total == 20_002


def test_averaging_percentiles_would_have_been_wrong() -> None:
    slow, fast = (decode(text_of(reference(np.full(n, v)))) for n, v in ((10, 1_000_000), (10_000, 1000)))
    assert merge([slow, fast]).percentiles([0.95])[0] < 1010


@pytest.mark.parametrize("text", ["", "AAAA", "not base64!", "HISTFAAAAAEAAAAA"])
def test_damaged_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(text)


def test_merging_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no histogram"):
        merge([])
