"""The reference of the study file against its schema; and the studies on all pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from assay.design.study import MEASURES, parse_study, schema, storage
from assay.design.study.experiments import EXPERIMENTS, MEASURED
from assay.design.study.model.factor_names import FACTORS
from pages import PAGES, ROOT, blocks, name_of, rows, section

PAGE = ROOT / "docs/reference/study.md"
SCHEMA = schema()


def _table(entry: dict[str, Any]) -> dict[str, Any]:
    entry = entry.get("items", entry)
    if "anyOf" in entry:  # a table that may be left out
        entry = next(one for one in entry["anyOf"] if "$ref" in one)
    if "$ref" not in entry:  # written where it stands
        return entry
    found: dict[str, Any] = SCHEMA["$defs"][entry["$ref"].rpartition("/")[2]]
    return found


def _tables() -> dict[str, dict[str, Any]]:
    """Heading of the page -> schema of the table."""
    found = {}
    for name, entry in SCHEMA["properties"].items():
        named = next(iter(entry.get("patternProperties", {}).values()), None)  # tables by names of their own
        if named is not None and "$ref" in named:
            found[f"[{name}.NAME]"] = _table(named)
        else:
            found[f"[[{name}]]" if "items" in entry else f"[{name}]"] = _table(entry)
    return found


@pytest.mark.parametrize("heading", _tables())
def test_every_key_is_there_with_its_default(heading: str) -> None:
    table = _tables()[heading]
    shown = rows(section(PAGE, heading))
    for key, entry in table["properties"].items():
        assert key in shown, f"{heading} {key} is missing"
        _type, default, _meaning, example = shown[key]
        assert example, f"{heading} {key} has no example"
        if key in table.get("required", ()):
            assert default == ""
        if isinstance(entry.get("default"), int | float) and key not in ("measure", "round"):
            assert json.loads(default) == entry["default"]
        for word in entry.get("enum", ()):
            assert f'`"{word}"`' in _type


@pytest.mark.parametrize("heading", _tables())
def test_no_key_is_there_that_is_gone(heading: str) -> None:
    tables = section(PAGE, heading)
    keys = rows(tables[: tables.find("\n\n|", tables.find("|---") + 1)])
    assert set(keys) <= set(_tables()[heading]["properties"])


def test_every_factor_and_measure_is_there() -> None:
    factors = rows(section(PAGE, "[[factor]]"))
    assert {name.replace("*", "X") for name in FACTORS} <= set(factors)
    for measure in MEASURES.keys() - MEASURED.keys() - storage.MEASURES.keys():
        assert f"`{measure}`" in section(PAGE, "[[hypothesis]]")


def test_every_measure_of_files_is_there() -> None:
    text = section(ROOT / "docs/reference/storage.md", "In studies")
    times = {name for name in storage.MEASURES.keys() - storage.PATTERN.keys() if name.endswith("_ms")}
    assert all(f"`{name}`" in text for name in storage.MEASURES.keys() - times)
    assert all(f"`{time}`" in text for time in storage.TIMES)
    assert set(re.findall(r"`((?:read|write|sync)_\w+_ms)`", text)) <= times


def test_every_experiment_is_there_with_its_options_and_measures() -> None:
    shown = rows(section(PAGE, "[experiment]"))
    for name, experiment in EXPERIMENTS.items():
        options, measures = shown[name]
        assert all(f"`{option}`" in options for option in experiment.options)
        assert all(f"`{measure}`" in measures for measure in experiment.measures)
        assert f"## {name}" in (ROOT / "docs/method/experiments.md").read_text()


_HEAD = re.compile(r"^\[study\]", re.MULTILINE)  # not [[study]] of a campaign


def _whole_studies() -> list[tuple[Path, str]]:
    return [(page, text) for page in PAGES for text in blocks(page, "toml") if _HEAD.search(text)]


@pytest.mark.parametrize(("page", "text"), _whole_studies(), ids=lambda value: getattr(value, "name", ""))
def test_studies_on_pages_are_studies(page: Path, text: str, tmp_path: Path) -> None:
    shown = {one.partition("\n")[0].removeprefix("-- "): one for one in blocks(page, "sql")}
    for name in re.findall(r'"(?:dump|sql):([^"]+)"', text):  # the files that the page shows, or any
        (tmp_path / name).write_text(shown.get(name, "SELECT 1;"))
    parse_study(text, tmp_path / Path(name_of(page)).name)


def test_there_are_studies_on_pages() -> None:
    assert {name_of(page) for page, _ in _whole_studies()} >= {"README.md", "docs/guide/first-study.md"}
