"""TPC-C: what counts for tpmC, and the text of the other tool."""

from __future__ import annotations

import io

import pytest
from assay.design.folder import KindTally, RunResult
from assay.front.compat.tpcc_mysql import ToolSettings, ToolText, tpcc_figures
from assay.testing import interval, kind_tally, run_result

KINDS = ("new_order", "payment", "order_status", "delivery", "stock_level")


def result(kinds: dict[str, KindTally], *, elapsed_s: float = 60.0, warehouses: int = 2) -> RunResult:
    facts = {"dialect": "spec", "warehouses": str(warehouses)}
    return run_result(kinds, seconds=elapsed_s, facts=facts)


def test_orders_count_that_began_and_ended_inside_and_parts_are_cut_off() -> None:
    orders = kind_tally([10.0] * 1000, inside=990)
    found = tpcc_figures(result({"new_order": orders}, elapsed_s=61.0))
    assert found["tpmc"] == 973  # 990 x 60 / 61 = 973.77
    assert found["tpmc_per_warehouse"] == 486.5
    assert found["efficiency_pct"] == pytest.approx(100 * 973 / (12.86 * 2))


def test_a_limit_is_of_the_90th_percentile() -> None:
    kinds = {
        "payment": kind_tally([10.0] * 90 + [9_000.0] * 10),
        "delivery": kind_tally([10.0] * 80 + [9_000.0] * 20),
    }
    limits = tpcc_figures(result(kinds))["limits"]
    assert (limits["payment"]["ok"], limits["delivery"]["ok"]) == (True, False)


def tool(rt_unit: str) -> tuple[ToolText, io.StringIO]:
    out = io.StringIO()
    settings = ToolSettings(
        server="db1",
        port=3306,
        socket=None,
        database="tpcc",
        user="me",
        warehouses=10,
        connections=3,
        rampup_s=5,
        measure_s=20,
        interval_s=10,
        rt_unit=rt_unit,
    )
    return ToolText(settings, out.write), out


def test_the_text_begins_as_the_tool_does_and_hides_the_password() -> None:
    text, out = tool("s")
    text.begin()
    lines = out.getvalue().splitlines()
    assert lines[:4] == [
        "***************************************",
        "*** ###easy### TPC-C Load Generator ***",
        "***************************************",
        "option h with value 'db1'",
    ]
    at = lines.index("<Parameters>")
    assert lines[at + 1 :] == [
        "     [server]: db1",
        "     [port]: 3306",
        "     [DBname]: tpcc",
        "       [user]: me",
        "       [pass]: ***",
        "  [warehouse]: 10",
        " [connection]: 3",
        "     [rampup]: 5 (sec.)",
        "    [measure]: 20 (sec.)",
        "",
        "RAMP-UP TIME.(5 sec.)",
    ]


def test_an_interval_is_one_line() -> None:
    text, out = tool("s")
    kinds = {"new_order": kind_tally([8.0, 16.0]), "payment": kind_tally([4.0])}
    text.interval(interval(kinds, index=1, seconds=10.0))
    start, line = out.getvalue().rsplit("\n", 2)[:2]
    assert start == "\nMEASURING START.\n"
    words = line.split(", ")
    assert words[:2] == ["  20", "trx: 2"]
    assert [word.split(" ")[0] for word in words[2:5]] == ["95%:", "99%:", "max_rt:"]
    assert words[5].startswith("1|4.0")
    assert words[6:] == ["0|0.000"] * 3


@pytest.mark.parametrize(("rt_unit", "success", "late"), [("s", 9, 1), ("ms", 5, 5)])
def test_totals_and_constraints(rt_unit: str, success: int, late: int) -> None:
    text, out = tool(rt_unit)
    orders = kind_tally([1.0] * 5 + [10.0] * 4 + [6_000.0], retries=2, failed=1)
    others = {name: kind_tally([1.0] * (10 if name == "payment" else 1)) for name in KINDS[1:]}
    text.end(result({"new_order": orders, **others}, elapsed_s=20.0))
    lines = out.getvalue().splitlines()
    lines = lines[lines.index("STOPPING THREADS...") - 1 :]
    assert lines[4].startswith(f"  [0] sc:{success} lt:{late}  rt:2  fl:1 avg_rt: ")
    assert lines[4].endswith(" (5)")
    assert " in 20 sec." in lines
    assert f"  [0] sc:{success}  lt:{late}  rt:2  fl:1 " in lines
    assert "        Payment: 43.48% (>=43.0%) [OK]" in lines
    assert "   Order-Status: 4.35% (>= 4.0%) [OK]" in lines
    order_line = "      New-Order: 90.00%  [OK]" if rt_unit == "s" else "      New-Order: 50.00%  [NG] *"
    assert order_line in lines
    assert lines[-3:] == ["", "<TpmC>", "                 30.000 TpmC"]
