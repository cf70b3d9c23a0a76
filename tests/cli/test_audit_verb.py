"""`assay audit` as a shell sees it: words, JSON, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from shell import Shell

ROWS = (
    "8,100.01,1800.18",
    "16,180.02,3240.36",
    "32,300.03,5400.54",
    "64,400.04,7200.72",
    "128,410.05,7380.90",
)
CLEAN = "\n".join(("threads,tps,qps", *ROWS, ""))
FAULTY = CLEAN.replace("300.03,", "900.03,")


def test_a_faulty_table_ends_with_1_and_says_where(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(FAULTY)
    ended = shell("audit", str(path))
    assert ended.code == 1
    assert "table.csv" in ended.out
    assert "line 4, threads=32, tps" in ended.out
    assert "printed 900.03; expected 300.03" in ended.out
    assert ended.out.rstrip().splitlines()[-1].startswith("1 finding and 0 notes in 1 table with 10 figures")


def test_json_has_every_field_of_a_finding(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(FAULTY)
    said = json.loads(shell("audit", str(path), "--json").out)
    (found,) = said["findings"]
    assert found == {
        "rule": "queries-per-transaction",
        "severity": "error",
        "confidence": "high",
        "file": "table.csv",
        "table": "table.csv",
        "row": "threads=32",
        "column": "tps",
        "line": 4,
        "printed": "900.03",
        "expected": "300.03",
        "sign": found["sign"],
        "second_sign": found["second_sign"],
    }
    assert found["second_sign"]
    assert (said["version"], said["tables"], said["figures"], said["notes"], said["claims"]) == (
        1,
        1,
        10,
        [],
        [],
    )


def test_a_clean_table_ends_with_0(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(CLEAN)
    ended = shell("audit", str(path))
    assert (ended.code, ended.out) == (0, "0 findings and 0 notes in 1 table with 10 figures\n")


def test_no_table_is_an_error_of_input(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("only words\n")
    ended = shell("audit", str(path))
    assert ended.code == 2
    assert "holds no table" in ended.err
    assert "hint:" in ended.err
