"""Classes of faults in claims, sentences and conclusions, each made from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable

from fault_cases import (
    CLAIMS,
    LADDER,
    PROSE,
    Case,
    Files,
    compared,
    sweep,
    text_of,
)

_RISES = ("improved", "increased", "higher", "faster", "提升")
_FALLS = ("reduced", "decreased", "lower", "slower", "下降")


def sentence_of_the_wrong_direction(chance: random.Random) -> Case:
    """A sentence above a pasted table says that a rate went down, and the table that it went up."""
    ladder, old, new = compared(chance)
    mean = sum(100 * (b / a - 1) for a, b in zip(old, new, strict=True)) / len(ladder)

    def written(way: int) -> str:
        rise, fall = _RISES[way], _FALLS[way]
        word = rise if chance_of_fault else fall
        sentence = {
            0: f"Compared with v1.0, the throughput of v2.0 is {word} by {mean:.2f} %.",
            1: f"The throughput of v2.0 {word} by {mean:.1f}% over v1.0.",
            2: f"v2.0 has {mean:.1f} % {word} throughput than v1.0.",
            3: f"v2.0 is {mean:.0f}% {word} than v1.0.",
            4: f"与 v1.0 相比，v2.0 的吞吐量{word}了 {mean:.2f}%。",
        }[way]
        rows = "".join(f"| {n} | {a} | {b} |\n" for n, a, b in zip(ladder, old, new, strict=True))
        return f"# Result\n\n{sentence}\n\n| Threads | v1.0 TPS | v2.0 TPS |\n|---|---|---|\n{rows}"

    way = chance.randrange(5)
    chance_of_fault = True
    clean = written(way)
    chance_of_fault = False
    return Case({"t.md": written(way)}, {"t.md": clean}, "claims", "line 3")


def sentence_of_another_size(chance: random.Random) -> Case:
    """A claim states a change that no row of its table has."""
    ladder, old, new = compared(chance)
    changes = [100 * (b / a - 1) for a, b in zip(old, new, strict=True)]
    mean = sum(changes) / len(changes)
    rows = "".join(f"{n},{a},{b}\n" for n, a, b in zip(ladder, old, new, strict=True))

    def files(size: float) -> Files:
        text = f"c1,,The throughput of v2.0 is {size:.1f} % higher than that of v1.0,\n"
        return {"t.csv": "threads,tps v1.0,tps v2.0\n" + rows, "c.csv": CLAIMS + text}

    return Case(files(max(changes) * chance.choice((1.2, 2.5)) + 2), files(mean), "claims", "c1")


def claim_in_other_words(chance: random.Random) -> Case:
    """A claim says slightly, clearly, no effect or a peak, and the table says otherwise."""
    curve = [400.0, 780.0, 1500.0, 2700.0, 3600.0, 3300.0, 2900.0]
    lead = {"slightly": 1.35, "clearly": 1.01, "effect": 1.3, "peak": 1.05}
    kind = chance.choice(sorted(lead))
    right = {"slightly": 1.04, "clearly": 1.3, "effect": 1.01, "peak": 1.05}
    text = {
        "slightly": "cache=all slightly > cache=none",
        "clearly": "cache=all clearly > cache=none",
        "effect": "cache has no effect",
        "peak": "tps(cache=all) peaks at 32 threads",
    }[kind]

    def files(factor: float, claim: str) -> Files:
        levels = {
            level: [one * of * chance.uniform(0.999, 1.001) for one in curve]
            for level, of in (("all", factor), ("none", 1.0))
        }
        table = sweep("t", "cache", levels, LADDER)
        return {"t.csv": text_of(table), "c.csv": CLAIMS + f'c1,s1,"{claim}",\n'}

    return Case(files(lead[kind], text), files(right[kind], text.replace("32", "128")), "claims", "c1")


def conclusion_with_another_figure(chance: random.Random) -> Case:
    """A conclusion states another figure than the text before it."""
    stated, other = chance.choice(((512, 128), (64, 256), (32, 16)))

    def files(said: int) -> Files:
        rows = "".join(
            f's1,{line},decline_from_threads,{figure},threads,"{where}"\n'
            for line, figure, where in (
                (5, stated, "12 CPU"),
                (8, stated, "16 CPU"),
                (20, said, "conclusion"),
            )
        )
        return {"p.csv": PROSE + rows}

    return Case(files(other), files(stated), "conclusions", str(other))


def claim_that_rests_on_an_error(chance: random.Random) -> Case:
    """A claim and a setting repeat a total that is not the sum of its parts."""
    read, write = chance.randint(1100, 1399), chance.randint(1100, 1399)

    def files(total: int) -> Files:
        rows = f"s1,j,read_iops,1/s,{read}\ns1,j,write_iops,1/s,{write}\ns1,j,iops_total,1/s,{total}\n"
        return {
            "f.csv": f"study,job,metric,unit,result\n{rows}",
            "c.csv": f"{CLAIMS}c1,s1,iops(mixed) ~ {total},\n",
        }

    right = read + write
    return Case(files(right + 100), files(right), "repeated-errors", "c1")


WORDS: tuple[Callable[[random.Random], Case], ...] = (
    sentence_of_the_wrong_direction,
    sentence_of_another_size,
    claim_in_other_words,
    conclusion_with_another_figure,
    claim_that_rests_on_an_error,
)
