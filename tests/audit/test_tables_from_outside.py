"""Tables in the forms that people publish: faulty ones are found, right ones raise nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.results.audit import Finding, audit

TWO_VERSIONS = """threads,tps v2.0,qps v2.0,avg latency v2.0 (ms),tps v1.0,qps v1.0,avg latency v1.0 (ms)
384,5404.22,108084.4,87.2033,5523.91,110478,69.53
768,5578.165,111563.3,167.673,5969.43,119389,128.63
1536,5874.045,117480.9,315.083,6308.93,126179,243.543
3072,6290.7,125814,529.183,6444.25,128885,476.787
6144,6212.55,124251,981.143,,,
"""
"""TiDB 2.0 and 1.0, OLTP (docs of TiDB, sysbench in v2.0 and v1.0)."""

AS_PRINTED = """| Version | Table size | Sysbench threads | TPS | QPS | Latency (avg/.95) |
|:---:|:---:|:---:|:---:|:---:|:---:|
| v2.0 | 10 million | 128 * 3 | 5404.22 | 108084.4 | 87.2033 ms/110 ms |
| v2.0 | 10 million | 1024 * 3 | 6290.7 | 125814 | 529.183 ms/857.007 ms |
| v1.0 | 10 million | 128 * 3 | 5523.91 | 110478 | 69.53 ms/88.6333 ms |
| v1.0 | 10 million | 1024 * 3 | 6444.25 | 128885 | 476.787 ms/635.143 ms |
"""
"""A table of TiDB as its page prints it: threads of three clients, two latencies in a field."""

IMPROVEMENT = """# TiDB 5.4 and 5.3

## Read write

|Threads|v5.3.0 TPS|v5.4.0 TPS|v5.3.0 95% latency (ms)|v5.4.0 95% latency (ms)|TPS improvement (%)|
|:--|:--|:--|:--|:--|:--|
|300|3810.78|3929.29|108.68|106.75|3.11|
|600|4514.28|4684.64|193.38|186.54|3.77|
|900|4842.49|4988.49|282.25|277.21|3.01|

Compared with v5.3.0, the read write performance of v5.4.0 is {word} by 3.30%.

## Point select

| Threads | v5.3.0 TPS | v5.4.0 TPS | TPS improvement (%) |
|:--|:--|:--|:--|
|300|266041.84|264345.73|-0.64|
|600|351782.71|348715.98|-0.87|
|900|386553.31|399777.11|3.42|

Compared with v5.3.0, the point select performance of v5.4.0 is slightly improved by 0.64%.
"""
"""TiDB 5.4 and 5.3 (docs of TiDB); the page has "reduced"."""

RIGHT = {
    "hammerdb.csv": "Virtual Users,NOPM,TPM,CPU %\n1,22013,51021,104.1\n8,160233,371988,827.9\n"
    "32,498221,1156662,2988.0\n64,561883,1303913,3198.7\n",
    "hammerdb.md": "# 800 warehouses\n\n| Vuser | MySQL 8.0 NOPM | MariaDB 10.11 NOPM |\n|--:|--:|--:|\n"
    "| 1 | 21,880 | 20,300 |\n| 16 | 291,204 | 260,931 |\n| 64 | 530,455 | 433,001 |\n\n"
    "MariaDB 10.11 is up to 18.4 % slower than MySQL 8.0.\n",
    "sysbench.md": "| Threads | TPS | QPS | Avg latency (ms) | 95th (ms) | Errors/s |\n|--|--|--|--|--|--|\n"
    "| 1 | 412.34 | 8246.80 | 2.42 | 2.97 | 0 |\n| 16 | 4788.11 | 95762.20 | 3.34 | 5.18 | 0 |\n"
    "| 64 | 6120.92 | 122418.41 | 10.45 | 20.37 | 0.02 |\n"
    "| 128 | 6054.10 | 121082.98 | 21.13 | 43.39 | 0.05 |\n",
    "tpcc.csv": "server,warehouses,connections,TpmC,New-Order 90% (ms)\n5.7,100,16,18234.5,42.1\n"
    "5.7,100,64,31233.1,61.0\n8.0,100,16,19834.9,39.1\n8.0,100,64,35120.4,55.6\n",
    "latency_of_transactions.csv": "threads,qps,avg latency (ms)\n8,32012.1,5.00\n16,60120.5,5.32\n"
    "32,101220.0,6.32\n64,131002.8,9.77\n",
    "latency_of_no_kind.csv": "threads,qps mysql,latency mysql (ms)\n16,20011,1.9\n64,51234,4.4\n"
    "256,60100,20.1\n",
    "latency_beside_both.csv": "threads,tps,qps,avg latency (ms)\n8,1000,20000,8.0\n16,1500,30000,10.6\n",
    "workloads.csv": "workload,tps,qps\noltp_read_only,5122.3,81956.8\noltp_read_write,2310.1,46202.0\n"
    "oltp_write_only,9012.8,54076.8\noltp_point_select,151200.4,151200.4\n",
    "relative.csv": "threads,baseline tps,patched tps,patched vs baseline (%)\n8,1200.1,1260.1,105.0\n"
    "16,2301.5,2439.6,106.0\n32,4100.0,4305.0,105.0\n",
    "tried_again.csv": "threads,tps,qps\n8,1200.00,24000.00\n16,2301.00,46022.10\n32,4100.00,82300.90\n"
    "64,5100.00,103020.55\n128,5200.00,107900.12\n256,4900.00,106212.33\n",
    "memory.md": "| threads | A tps | B tps |\n|--|--|--|\n| 8 | 1000 | 1100 |\n| 16 | 1900 | 2080 |\n"
    "| 32 | 3300 | 3600 |\n\n"
    "B uses 30 % less memory than A.\n",
    "improvement.md": IMPROVEMENT.format(word="improved"),
}


def found(folder: Path, name: str, text: str) -> tuple[Finding, ...]:
    (folder / name).write_text(text, encoding="utf-8")
    result = audit([folder / name])
    assert result.figures
    return result.findings


def test_rows_with_more_in_flight_than_connections_are_errors(tmp_path: Path) -> None:
    errors = found(tmp_path, "t.csv", TWO_VERSIONS)
    assert {(one.rule, one.severity) for one in errors} == {("littles-law", "error")}
    assert [one.row.split(",")[0] for one in errors] == [f"threads={n}" for n in (384, 768, 1536, 3072)]
    assert all("series=v2.0" in one.row for one in errors)


def test_threads_of_several_clients_and_two_latencies_in_a_field_are_read(tmp_path: Path) -> None:
    errors = found(tmp_path, "t.md", AS_PRINTED)
    assert [(one.rule, one.row.split(",")[0], one.printed) for one in errors] == [
        ("littles-law", "threads=384", "87.2033"),
        ("littles-law", "threads=3072", "529.183"),
    ]


def test_a_sentence_of_the_wrong_direction_is_found_and_differences_are_no_shares(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "t.md", IMPROVEMENT.format(word="reduced"))
    assert (one.rule, one.line) == ("claims", 11)
    assert "reduced by 3.30%" in one.printed


@pytest.mark.parametrize("name", RIGHT)
def test_right_tables_raise_nothing(tmp_path: Path, name: str) -> None:
    assert [(one.rule, one.row, one.sign) for one in found(tmp_path, name, RIGHT[name])] == []


TABLE = (
    "threads,tps v1.0,tps v2.0,p95 latency v1.0 (ms),p95 latency v2.0 (ms)\n"
    "8,1000,1200,9,7\n16,1900,2290,10,8\n32,3300,3950,12,10\n64,4000,4830,20,17\n"
)


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("v2.0 outperforms v1.0", True),
        ("v1.0 outperforms v2.0", False),
        ("v1.0 is slower than v2.0", True),
        ("v2.0 is twice as fast as v1.0", False),
        ("v2.0 has half the throughput of v1.0", False),
        ("There is no difference between v1.0 and v2.0.", False),
        ("From v1.0 to v2.0 the throughput rises by 20%", True),
        ("From v1.0 to v2.0 the throughput drops by 20%", False),
        ("At 64 threads v2.0 is 20.75% faster than v1.0", True),
        ("At 64 threads v2.0 is 30% faster than v1.0", False),
        ("v2.0 improves the latency by up to 22 % over v1.0", True),
        ("v2.0 increases the latency by 20 % compared with v1.0", False),
        ("The p95 latency of v2.0 is 15-22% lower than that of v1.0", True),
        ("相比 v1.0，v2.0 的 TPS 提升约 20%", True),
        ("v1.0 と比較して、v2.0 のパフォーマンスは 20 % 向上しています。", True),
        ("v1.0 と比較して、v2.0 のパフォーマンスは 20 % 低下しています。", False),
        ("v2.0 性能比 v1.0 下降 20%", False),
        ("v2.0 is 21% better at 64 threads, and the throughput of v1.0 does not fall.", True),
        ("v2.0 is 41% better at 64 threads, and the throughput of v1.0 does not fall.", False),
        ("v2.0 uses 30 % less memory than v1.0", None),
        ("v2.0 writes 40 % fewer bytes than v1.0", None),
        ("v2.0 does not lose throughput against v1.0", None),
    ],
)
def test_sentences_are_answered_by_the_changes_of_a_table(
    tmp_path: Path, sentence: str, holds: bool | None
) -> None:
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "c.csv").write_text(f'claim,study,hypothesis,scope\nc1,,"{sentence}",\n', encoding="utf-8")
    claims = audit([tmp_path / "t.csv", tmp_path / "c.csv"]).claims
    assert [not one.misses for one in claims] == ([] if holds is None else [holds])
