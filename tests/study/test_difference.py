"""What changed between two forms of a study, by its keys."""

from __future__ import annotations

import pytest
from assay.design.study.difference import difference_text, differences

from studies import changed, read, valid


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("tables = 4", "tables = 5", ["workload.tables: 4 → 5"]),
        ("tables = 4\n", "", ["workload.tables: 4 → (not set)"]),
        ('use = "mariadb"', 'use = "mysql@8.4"', ['server.use: "mariadb" → "mysql@8.4"']),
        ('"1G"', '"2G"', ['server.variables.innodb_buffer_pool_size: "1G" → "2G"']),
        ("[1, 8, 64]", "[1, 8]", ["load.threads: [1, 8, 64] → [1, 8]"]),
        ('"10s"', '"20s"', ['load.measure: "10s" → "20s"']),
        ('"5s"', '"6s"', ["load.warmup: fixed 5s → fixed 6s"]),
        ('"5s"', '"none"', ["load.warmup: fixed 5s → none"]),
        ("blocks = 6", "seed = 7", ["design.seed: (not set) → 7"]),
        (
            "levels = [1, 4]",
            "levels = [1, 2, 4]",
            ['factor "server.variables.innodb_purge_threads": [1, 4] → [1, 2, 4]'],
        ),
        ("blocks = 6", "blocks = 7", []),
    ],
)
def test_a_line_for_each_key(old: str, new: str, said: list[str]) -> None:
    assert differences(valid(), read(changed(old, new))) == said


def test_of_many_the_first_few() -> None:
    text = changed("[load]", "a = 1\nb = 1\nc = 1\nd = 1\ne = 1\nf = 1\ng = 1\n[load]")
    assert difference_text(valid(), read(text)).endswith("; and 2 more")
