"""tpcc-mysql's text, in the form that its sources print."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.adopt import read_file
from printed_texts import TPCC_MYSQL as TEXT


def read(folder: Path, text: str):  # type: ignore[no-untyped-def]
    file = folder / "tpcc.txt"
    file.write_text(text)
    return read_file(file).results


def test_the_figures_are_those_that_were_printed(tmp_path: Path) -> None:
    (found,) = read(tmp_path, TEXT)
    known = {one.name: one.value for one in found.printed.figures}
    assert (found.tool, found.load.value, found.settings["warehouses"]) == ("tpcc-mysql", 16.0, "10")
    assert known["tpmc"] == 7200.0
    assert (known["new_order.in_time"], known["new_order.late"], known["new_order.retries"]) == (2390, 10, 3)
    assert (known["payment.failed"], known["new_order.mean_ms"], known["stock_level.mean_ms"]) == (
        1,
        31.2,
        44.7,
    )
    assert (known["payment.share_pct"], known["new_order.in_time_pct"]) == (43.48, 99.58)
    assert known["transactions"] == 2400 + 2399 + 240 + 239 + 240
    assert known["tps"] == (2400 + 2399 + 240 + 239 + 240) / 20
    series = {one.name: one.value for one in found.printed.series}
    assert series["new_order.tps"] == [121.0, 119.0]
    assert series["new_order.p99_ms"] == [93.402, 94.502]
    assert series["stock_level.max_ms"] == [210.807, 211.707]
    assert [(one.t_s, one.seconds) for one in found.printed.intervals] == [(0.0, 10.0), (10.0, 10.0)]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("7200.000 TpmC", "", '"<TpmC>"'),
        ("*** ###easy### TPC-C Load Generator ***", "", "expected the banner"),
        (
            "avg_rt: 12.4 (5)",
            "avg_rt: -",
            "raw results of payment; these lines have an unknown form: line 29 ",
        ),
        ("  20, trx", "  10, trx", "an interval that ends after 10 s"),
        ("[connection]: 16", "[connections]", 'a line "[connection]: N"'),
        ("  [4] sc:240 lt:0  rt:0  fl:0 avg_rt: 44.7 (20)\n", "", "the raw results of stock_level"),
    ],
)
def test_a_spoilt_text_says_where(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError) as raised:
        read(tmp_path, TEXT.replace(old, new, 1))
    assert says in raised.value.message
