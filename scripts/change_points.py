"""Simulates how often steps in a series are found, and how often false ones: the table of
docs/method/history.md.

    .venv/bin/python -m scripts.change_points
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from assay.results.stats import change_points
from numpy.typing import NDArray

BUILDS = 100
NOISE = 0.01  # standard deviation of the logarithm of a build's value
STEPS = (1.02, 1.03, 1.04)  # once, one and a half times, and twice the smallest change that is reported
SERIES = 1000
AWAY_FROM_THE_ENDS = 15

Floats = NDArray[np.float64]
Random = np.random.Generator


def _remembering(random: Random) -> Floats:
    """Returns noise of which half carries over from one build to the next, as where a host drifts."""
    news = random.normal(0, (1 - 0.5**2) ** 0.5, BUILDS)
    out = [random.normal()]
    for one in news[1:]:
        out.append(0.5 * out[-1] + one)
    return np.array(out)


KINDS: dict[str, Callable[[Random], Floats]] = {
    "Gaussian": lambda random: random.normal(0, 1, BUILDS),
    "t with 3 degrees": lambda random: random.standard_t(3, BUILDS) / 3**0.5,
    "exponential, slow side": lambda random: -random.exponential(1, BUILDS),
    "AR(1), 0.5": _remembering,
}


@dataclass(frozen=True)
class Found:
    """The results for one kind of noise. `found` has, for each size of step, the share of steps found within
    one build of their place.
    """

    kind: str
    false_points: float  # in a series of 100 builds in which nothing changes
    found: dict[float, float]


def simulated(series: int, seed: int = 1, **rule: float) -> Iterator[Found]:
    """Yields the results of each kind of noise, from `series` simulated series a cell; `rule` is for
    `change_points`.
    """
    for kind, noise in KINDS.items():
        random = np.random.default_rng(seed)
        points = [len(change_points(np.exp(NOISE * noise(random)), **rule)) for _ in range(series)]
        found = {
            step: float(np.mean([_hit(random, noise, step, rule) for _ in range(series)])) for step in STEPS
        }
        yield Found(kind, float(np.mean(points)), found)


def _hit(random: Random, noise: Callable[[Random], Floats], step: float, rule: Mapping[str, float]) -> bool:
    at = int(random.integers(AWAY_FROM_THE_ENDS, BUILDS - AWAY_FROM_THE_ENDS))
    values = np.exp(NOISE * noise(random))
    values[at:] *= step
    return any(abs(point.index - at) <= 1 for point in change_points(values, **rule))


def main() -> None:
    """Prints the table as Markdown."""
    steps = " | ".join(f"{step - 1:.0%} found" for step in STEPS)
    print(f"| noise of a build, 1 % | false in 100 builds | {steps} |")
    print("|---|---|" + "---|" * len(STEPS))
    for one in simulated(SERIES):
        shares = " | ".join(f"{share * 100:.1f} %" for share in one.found.values())
        print(f"| {one.kind} | {one.false_points:.3f} | {shares} |")


if __name__ == "__main__":
    main()
