"""The resource that bounds a treatment is named, or none is."""

from __future__ import annotations

import numpy as np
from assay.reporting.report import bottleneck_sentence, load_words
from assay.results.verdict import ResourceEffect, bottleneck, judge_resources

AMOUNTS = {"processors": 0.5, "pool": 0.8, "network": None}


def planted(
    ratios: dict[str, float], blocks: int = 8, noise: float = 0.005, seed: int = 1
) -> tuple[ResourceEffect, ...]:
    random = np.random.default_rng(seed)
    of_blocks = random.normal(0, 0.05, blocks)

    def values(ratio: float) -> dict[int, float]:
        return dict(enumerate((1000 * ratio * np.exp(of_blocks + random.normal(0, noise, blocks))).tolist()))

    without = values(1.0)
    return judge_resources(without, {name: values(of) for name, of in ratios.items()}, AMOUNTS, "tps", 0.95)


def test_the_resource_that_the_work_follows_most_is_named() -> None:
    effects = planted({"processors": 0.9, "pool": 0.85, "network": 0.99})
    named = bottleneck(effects)
    assert named is not None
    assert named.resource == "pool"  # 15 % for 20 % is more than 10 % for 50 %
    assert named.elasticity is not None
    assert abs(named.elasticity.value - np.log(0.85) / np.log(0.8)) < 0.1
    words = load_words("en")
    assert (
        "bound most by the buffer pool: with 80 % of the buffer pool it does 84.8 % ("
        in bottleneck_sentence(words, "a=1", "tps", named)
    )


def test_a_cost_that_is_added_counts_as_it_is() -> None:
    named = bottleneck(planted({"processors": 0.99, "pool": 1.0, "network": 0.7}))
    assert named is not None
    assert (named.resource, named.elasticity) == ("network", None)


def test_none_is_named_of_resources_that_do_nothing_or_of_too_few_blocks() -> None:
    false = sum(
        bottleneck(planted(dict.fromkeys(AMOUNTS, 1.0), seed=seed)) is not None for seed in range(100)
    )
    assert false <= 12
    assert bottleneck(planted({"pool": 0.5}, blocks=3)) is None
    assert "No resource" in bottleneck_sentence(load_words("en"), "a=1", "tps", None)
