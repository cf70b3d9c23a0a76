"""Reports of pt-query-digest are read as kinds of statements, with their counts and times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.experiments.own import Source, first_file
from assay.experiments.own.digest_report import report_of
from assay.experiments.own.dumpslow import dumpslow_of
from assay.experiments.own.reading import Digest
from assay.experiments.own.whole_file import WholeFile

TEXT = r"""
# 220ms user time, 10ms system time, 26.00M rss, 223.22M vsz
# Overall: 12.36k total, 5 unique, 0.13 QPS, 2.70x concurrency ___________
# Profile
# Rank Query ID                            Response time Calls R/Call V/M
# ==== =================================== ============= ===== ====== ====
#    1 0x5C1F33CC0B8F1C94AE6F5F41B1A1C1F4  30.0000 96.0% 12340 0.0024 0.00 SELECT t
# MISC 0xMISC                              0.0360  0.1%     7 0.0051   0.0 <6 ITEMS>

# Query 1: 0.58 QPS, 0.50x concurrency, ID 0x5C1F33CC0B8F1C94AE6F5F41B1A1C1F4 at byte 19
# Attribute    pct   total     min     max     avg     95%  stddev  median
# ============ === ======= ======= ======= ======= ======= ======= =======
# Count         99  12.34k
# Exec time     96     30s   726us   726ms   2ms   3ms       0   2ms
# String:
# Databases    shop (12/99%), old (1/1%)
# Tables
#    SHOW CREATE TABLE `shop`.`t`\G
# EXPLAIN /*!50100 PARTITIONS*/
SELECT c
  FROM t WHERE id = 7\G

# Query 2: 0 QPS, 0x concurrency, ID 0x6C1F33CC0B8F1C94AE6F5F41B1A1C1F4 at byte 953
# Count          1       5
# Exec time      4    90ms    10ms    20ms    18ms    20ms       0    18ms
# Databases    shop
UPDATE t SET c = 5 WHERE id = 9\G
# Converted for EXPLAIN
# EXPLAIN /*!50100 PARTITIONS*/
select  c = 5 from t where  id = 9\G
"""
KINDS = [
    Digest("SELECT c\n  FROM t WHERE id = 7", "shop", 12_340, 30.0),
    Digest("UPDATE t SET c = 5 WHERE id = 9", "shop", 5, 0.09),
]


def test_a_text_and_json_give_examples_with_counts_and_times(tmp_path: Path) -> None:
    text, as_json = tmp_path / "digest.txt", tmp_path / "digest.json"
    text.write_text(TEXT)
    classes = [
        {
            "attribute": "fingerprint",
            "example": {"query": one.text},
            "query_count": one.count,
            "metrics": {"Query_time": {"sum": str(one.seconds)}, "db": {"value": one.database}},
        }
        for one in KINDS
    ]
    as_json.write_text(json.dumps({"classes": classes, "global": {}}))

    assert report_of(WholeFile(text)) == [*KINDS, Digest(None, None, 7, 0.036)]
    assert report_of(WholeFile(as_json)) == KINDS
    # Made with --no-vertical-format, of a capture of packets.
    text.write_text(TEXT.replace("\\G", "").replace("\nUPDATE", "\nEXECUTE UPDATE"))
    assert report_of(WholeFile(text)) == [*KINDS, Digest(None, None, 7, 0.036)]
    text.write_text(TEXT)

    found = first_file(Source(str(text)), tmp_path / "own.sql", with_values=True)
    assert (found.form, found.executions) == ("report of pt-query-digest", 12_345)
    assert "-- @transaction select_t weight=12340" in found.pages.text
    assert found.left_out == {"without a text: the source counts more kinds than it shows": 7}


DUMPSLOW = """
Reading mysql slow query log from /var/log/mysql/slow.log
Count: 12  Time=0.00s (0s)  Lock=0.00s (0s)  Rows=1.0 (12), root[root]@localhost
  SELECT /*!N SQL_NO_CACHE */ c
  FROM t WHERE id = N AND d = 'S' LIMIT N

Count: 3  Time=1.00s (3s)  Lock=0.00s (0s)  Rows_sent=100.0 (300), Rows_examined=9.0 (27), app[app]@[10.0.0.1]
  UPDATE t SET n = N.N, name = "S", `N` = 0xN, t.N = -N WHERE id IN (N,N)

Count: 4  Time=0.00s (0s)  Lock=0.00s (0s)  Rows=0.0 (0), app[app]@localhost
  # administrator command: Ping

Died at /usr/bin/mysqldumpslow line 167, <> chunk 12.
"""


def test_what_mysqldumpslow_prints_is_a_slow_log_without_values(tmp_path: Path) -> None:
    path = tmp_path / "summary.txt"
    path.write_text(DUMPSLOW)
    assert dumpslow_of(WholeFile(path)) == [
        Digest("SELECT /*! SQL_NO_CACHE */ c\n  FROM t WHERE id = ? AND d = ? LIMIT ?", None, 12, 0.0),
        Digest("UPDATE t SET n = ?, name = ?, `N` = ?, t.N = ? WHERE id IN (?,?)", None, 3, 3.0),
        Digest("# administrator command: Ping", None, 4, 0.0),
    ]

    found = first_file(Source(str(path)), tmp_path / "own.sql", with_values=True)
    assert (found.form, found.executions) == ("summary of mysqldumpslow", 15)
    assert found.left_out == {"without a statement": 4}
    assert "a slow log has only what lasted longer" in found.pages.text
    assert "-- @transaction select_t weight=12" in found.pages.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TEXT.replace("12.34k", "many"), "not 'many'"),
        (TEXT.replace("# Count ", "# Calls "), "query 1 lacks its line # Count"),
        ('{"classes": [{"query_count": "x"}]}', "cannot be read as a report"),
        ('{"classes": [{"query_count": 1}', "cannot be read as a report"),
    ],
)
def test_a_report_that_is_not_whole_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "digest"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        report_of(WholeFile(path))


@pytest.mark.parametrize("text", ["SELECT 1;", "# Time: 2026-01-05T12:00:00Z\nSELECT 1;", '{"a": 1}', ""])
def test_other_files_are_no_reports(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log"
    path.write_text(text)
    assert report_of(WholeFile(path)) is None
