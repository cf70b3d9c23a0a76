"""A study that is written reads back as the same study."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.design.study import parse_study, study_hash, study_toml
from each import each

from studies import FILE, SHIPPED, VALID, changed, read, shipped


def test_every_shipped_study() -> None:
    def reads_back(file: Path) -> None:
        study = shipped(file)
        again = parse_study(study_toml(study), file)
        assert again == study
        assert study_hash(again) == study_hash(study)

    each(SHIPPED, reads_back)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"5s"', '"until-steady"'),
        ('"5s"', '"until-steady <= 90s"'),
        ('"5s"', '"none"'),
        ('"10s"', '"250ms"'),
        ('"10s"', '"0.1ms"'),
        ('"10s"', '"1.3h"'),
        ('"10s"', '"0.00001234567890123ms"'),
        ('use = "mariadb"', 'use = "mariadb"\napplies = ["mysql >= 5.6, < 8", "mariadb"]\nreason = "so"'),
        ("threads = [1, 8, 64]", "rate = [0.1, 500]\nconnections = 9\narrivals = 'constant'"),
        (
            "threads = [1, 8, 64]",
            "rate = [5]\narrivals = { kind = 'wave', mean = 1, amplitude = 0.5, period_ms = 60000 }",
        ),
        ("tables = 4", 'tables = 4\nrand_type = "a \\"quoted\\" 二 \\\\ one"'),
        ("tables = 4", "tables = 4\n[host]\n'block.scheduler' = 'none'"),
        ('use = "mariadb"', 'use = "mariadb"\nmemory = "1G"\ndynamic = { a_b = 1.0, c = true }'),
        ("blocks = 6", "seed = 7\nfair = 'strict'\n[verdict]\nmargin = 0.1"),
        ('name = "a"', 'name = "a"\ntitle = "T"\ndescription = """\ntwo\nlines"""'),
        ('name = "schema.index"\nlevels = [true, false]', 'name = "server.cpus"\nlevels = ["0", "1-2"]'),
    ],
)
def test_every_kind_of_key(old: str, new: str) -> None:
    study = read(changed(old, new))
    assert parse_study(study_toml(study), FILE) == study


def test_the_key_of_a_factor_is_left_to_its_levels() -> None:
    text = VALID.replace('use = "mariadb"\n', "").replace('"schema.index"', '"server.use"')
    study = read(text.replace("[true, false]", '["mariadb", "mysql"]'))
    assert parse_study(study_toml(study), FILE) == study


def test_defaults_are_not_written() -> None:
    written = study_toml(read(VALID))
    assert "confidence" not in written
    assert "ps_mode" not in written
