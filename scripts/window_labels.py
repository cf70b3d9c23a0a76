"""Prints the tables of docs/method/steady.md: `python -m scripts.window_labels [WINDOWS]`.

WINDOWS is the number of windows of each kind (200; 20 take a few seconds).
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

import numpy as np
from assay.results.stats import fills, grows, stall, steadiness
from assay.testing.windows import WINDOWS, like_neighbours, planted, with_stall

LABELS = ("steady", "drifting", "cycling", "not reached")
STALL_NOISES = ((0.0, 0.03), (0.0, 0.1), (0.5, 0.1), (0.8, 0.1), (0.98, 0.05))


def called(each: int) -> None:
    """Prints the labels that windows of each kind get, how many are right by length, and false stalls."""
    random = np.random.default_rng(17)
    words: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    right: dict[int, Counter[bool]] = defaultdict(Counter)
    stalls = 0
    for _ in range(each):
        for window in planted(random):
            rates = window.rates(random)
            label = steadiness(rates).label
            words[window.name, window.label][label] += 1
            right[rates.size][label == window.label] += 1
            stalls += stall(rates) is not None
    print("| planted | is | windows | " + " | ".join(f"called {one}" for one in LABELS) + " |")
    print("|---" * (len(LABELS) + 3) + "|")
    for (name, planted_as), found in words.items():
        total = found.total()
        shares = (f"{100 * found[one] / total:.1f} %" for one in LABELS)
        print(f"| {name} | {planted_as} | {total} | {' | '.join(shares)} |")
    shares = (
        f"{seconds} s {100 * right[seconds][True] / right[seconds].total():.1f} %" for seconds in WINDOWS
    )
    every = sum(right.values(), Counter[bool]())
    print(f"\nRight: {100 * every[True] / every.total():.1f} % ({', '.join(shares)}).")
    print(f"Stalls seen where there is none: {100 * stalls / every.total():.2f} %.\n")


def stalls(each: int) -> None:
    """Prints how many planted stalls are found, by the noise around them."""
    random = np.random.default_rng(18)
    print("| noise of a second | neighbours correlate by | stalls seen | the rest called steady |")
    print("|---|---|---|---|")
    for alike, sd in STALL_NOISES:
        seen = steady = 0
        for _ in range(10 * each):
            level = 1000 * (1 + like_neighbours(random, 60, alike, sd))
            rates = with_stall(level, int(random.integers(0, 51)))
            seen += stall(rates) is not None
            steady += steadiness(rates).label == "steady"
        print(f"| {100 * sd:.0f} % | {alike} | {10 * seen / each:.1f} % | {10 * steady / each:.1f} % |")


def states(each: int) -> None:
    """Prints how often level states are called growing or filling, and how often growing ones are found."""
    random = np.random.default_rng(19)
    print("\n| state | windows | called growing | pool called filling |\n|---|---|---|---|")
    for name, rise, fill, fall in (("level", 0.0, 0.0, 0.0), ("gathering", 1.0, 0.3, 2.0)):
        count = growing = filling = 0
        for seconds in WINDOWS:
            t = np.arange(seconds) / seconds
            for alike in (0.0, 0.5, 0.8, 0.95, 0.98) if rise == 0 else (0.0, 0.5):
                for _ in range(each):
                    wide, narrow = (like_neighbours(random, seconds, alike, sd) for sd in (0.2, 0.02))
                    level, held = (
                        50_000 * (0.5 + rise * t) * (1 + wide / (1 + 3 * rise)),
                        1 + fill * t + narrow / 10,
                    )
                    read = 500 * np.exp(-fall * t) * (1 + like_neighbours(random, seconds, alike, 0.1))
                    growing += grows(level, 10_000)
                    filling += fills(5000 * held, 8000, read)
                    count += 1
        print(f"| {name} | {count} | {100 * growing / count:.2f} % | {100 * filling / count:.2f} % |")


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    called(number)
    stalls(number)
    states(number)
