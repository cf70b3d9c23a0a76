"""Names of servers in help, templates, studies and pages are names that can be had."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from assay.system.server.flavour import FLAVOURS
from pages import ROOT

_NAME = re.compile(r"\b(mysql|mariadb|percona)@(\d+(?:\.\d+)*)")
_PLACES = ("python/assay", "docs", "studies", "schema", "benchmarks", "scripts")
_KINDS = {".py", ".j2", ".md", ".toml", ".json", ".ipynb"}
# Published pages and studies have the names of what was measured.
_PUBLISHED = ("docs/published/", "studies/published/", "python/assay/experiments/comparison/published/data/")
# Pages that say what to do about a version that the catalogue lacks.
_SAID = {("docs/adding/server.md", "mariadb@12.0")}


def _texts() -> list[Path]:
    files = [file for place in _PLACES for file in (ROOT / place).rglob("*") if file.suffix in _KINDS]
    kept = [file for file in files if not str(file.relative_to(ROOT)).startswith(_PUBLISHED)]
    return sorted([*kept, *ROOT.glob("*.md")])


def _unobtainable(text: str) -> list[str]:
    return [
        f"{name}@{number}"
        for name, number in _NAME.findall(text)
        if FLAVOURS[name].release(tuple(map(int, number.split(".")))) is None
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('use = "mysql@8.4"', ["mysql@8.4"]),
        ("`mariadb@10.6`.", ["mariadb@10.6"]),
        ("percona@8.0", ["percona@8.0"]),
        ("mysql@8, mysql@8.0, mysql@8.0.15 and mariadb@10.11.", []),
    ],
)
def test_a_name_that_cannot_be_had_is_found(text: str, found: list[str]) -> None:
    assert _unobtainable(text) == found


def test_names_that_are_shown_are_in_the_catalogue() -> None:
    found = {
        (str(file.relative_to(ROOT)), name)
        for file in _texts()
        if file.name != "CHANGELOG.md"
        for name in _unobtainable(file.read_text(encoding="utf-8"))
    }
    assert found == _SAID
