"""Claims in the language of studies, and in words, against printed tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.results.audit import PrintedClaim, audit

RESULT = "study,table,workload,metric,unit,threads,param,value,result\n"
CLAIM = "claim,study,source_line,kind,hypothesis,scope,threshold_origin\n"
LADDER = (8, 16, 32, 64, 128, 256, 512)
ALL = [1001, 1903, 3502, 5207, 5302, 4001, 3102]
NONE = [1205, 1704, 3001, 4601, 4808, 3603, 2707]
LATENCY_S = [0.012, 0.013, 0.015, 0.021, 0.034, 0.061, 0.125]


def rows(level: str, values: list[int] | list[float], metric: str = "tps", unit: str = "1/s") -> str:
    return "".join(
        f"s,t,oltp,{metric},{unit},{threads},cache,{level},{value}\n"
        for threads, value in zip(LADDER, values, strict=True)
    )


TABLE = RESULT + rows("all", ALL) + rows("none", NONE) + rows("all", LATENCY_S, "latency_avg", "s")


def answer(folder: Path, claim: str, scope: str = "") -> PrintedClaim | None:
    (folder / "t.csv").write_text(TABLE, encoding="utf-8")
    (folder / "c.csv").write_text(f'{CLAIM}H1,s,1,order,"{claim}",{scope},source\n', encoding="utf-8")
    return next(iter(audit([folder / "t.csv", folder / "c.csv"]).claims), None)


@pytest.mark.parametrize(
    ("claim", "asked", "misses"),
    [
        # in the language of studies
        ("tps[cache=all] > tps[cache=none]", 7, 1),
        ("tps[cache=all] > tps[cache=none] at threads >= 16", 6, 0),
        ("tps[cache=all] > tps[cache=other] at threads >= 16", 6, 0),
        ("tps[cache=all] > tps[cache=none] by 10 to 20 % at threads >= 16", 6, 0),
        ("tps[cache=all] > tps[cache=none] by 15 % at threads >= 16", 6, 5),
        ("tps[cache=all, threads=64] > tps[cache=all, threads=32] > tps[cache=all, threads=16]", 2, 0),
        ("tps[cache=all] / tps[cache=none] ~ 1.1 at threads = 64..256", 3, 0),
        ("tps[cache=all] - tps[cache=none] > 400 at threads = 64..128", 2, 0),
        ("collapse tps[cache=all] over threads = 256", 1, 0),
        ("collapse tps[cache=all] over threads = 512", 1, 1),
        ("knee tps[cache=all] over threads = 64", 1, 0),
        ("crossover tps[cache=none], tps[cache=all] over threads = 8..16", 1, 0),
        ("best tps[cache=all] over threads = 128", 1, 0),
        ("best tps over cache = all at threads = 8", 1, 1),
        ("max tps[cache=all] over threads ~ 5302", 8, 0),
        ("mean_ms[cache=all] rises over threads", 7, 0),
        ("mean_ms[cache=all] < 100", 7, 1),
        ("mean_ms[cache=all] < 0.1 s", 7, 1),
        ("tps[cache=none] < tps[cache=all] by 10 % at threads = 16", 1, 0),
        ("tps[cache=none] < tps[cache=all] by 11 % at threads = 16", 1, 1),
        ("tps[cache=all] > tps[cache=none] or tps[cache=all] < 2000", 1, 1),
        ("tps[cache=all] > 5000 or mean_ms[cache=all] < 130", 1, 0),
        ("tps[cache=all]/tps[cache=none] >= 1.05 over threads", 1, 0),
        ("tps[cache=all]/tps[cache=none] >= 1.15 over threads", 1, 1),
        ("best tps over cache != all at threads = 8", 1, 0),
        ("max threads with mean_ms[cache=all] < 50 >= 128", 1, 0),
        ("max threads with mean_ms[cache=all] < 50 >= 256", 1, 1),
        ("tps[cache=all]/mean_ms[cache=all] > 30", 7, 1),
        # in words
        ("tps(cache=all) > tps(cache=none)", 7, 1),
        ("tps(cache=all) > tps(cache=none) for threads >= 16", 6, 0),
        ("tps(cache=all)/tps(cache=none) ~ 1.1 for threads >= 64", 4, 0),
        ("tps(cache=all) starts to collapse at 256 threads", 1, 0),
        ("tps(cache=all) starts to collapse at 128 threads", 1, 1),
        ("latency_avg(cache=all) rises with threads", 7, 0),
        ("latency_avg(cache=all) < 0.1 s at every thread count", 7, 1),
        ("argmax over {all,none} = all", 7, 1),
    ],
)
def test_a_claim_is_answered_by_printed_figures(tmp_path: Path, claim: str, asked: int, misses: int) -> None:
    found = answer(tmp_path, claim)
    assert found is not None
    assert (found.asked, len(found.misses)) == (asked, misses), found.said
    assert found.outcome == ("does not hold" if misses else "holds")


@pytest.mark.parametrize(
    "claim",
    [
        "p95_ms[cache=all] < 20",  # not printed
        "tps[cache=all] > tps[cache=some_other]",
        "tps[cache=all] > tps[cache=none] in last 10m",
        "bottleneck[cache=all] = cpu",
        "the cache is always good",
    ],
)
def test_what_the_tables_cannot_answer_is_left_out(tmp_path: Path, claim: str) -> None:
    assert answer(tmp_path, claim) is None


def test_a_miss_names_the_figures_and_the_claim_that_they_fail(tmp_path: Path) -> None:
    found = answer(tmp_path, "tps(cache=all) > tps(cache=none)")
    assert found is not None
    (miss,) = found.misses
    assert miss.said == "tps 1001 against 1205 (tps[cache=all] > tps[cache=none])"
    assert miss.by == pytest.approx(1 - 1001 / 1205)
    assert miss.cell.row == "threads=8, workload=oltp, cache=all"


def test_a_step_of_a_course_is_a_comparison(tmp_path: Path) -> None:
    found = answer(tmp_path, "tps[cache=all] rises over threads")
    assert found is not None
    assert [(miss.cell.rung, round(miss.by, 3)) for miss in found.misses] == [(256, 0.245), (512, 0.225)]


def test_the_smallest_lead_is_known(tmp_path: Path) -> None:
    found = answer(tmp_path, "tps[cache=all] > tps[cache=none] at threads >= 16")
    assert found is not None
    assert found.least == pytest.approx(5302 / 4808 - 1)
    assert found.said == "as printed: holds, by 10.3 % at least (6 comparisons)"
