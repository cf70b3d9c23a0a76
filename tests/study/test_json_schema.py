"""schema/study.json: current, and of one mind with the reader."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest
from assay.design.study import schema, schema_text

from studies import VALID, changed

ROOT = Path(__file__).parents[2]


def test_the_file_is_current() -> None:
    """If not: `assay schema study --write schema/study.json`."""
    assert (ROOT / "schema" / "study.json").read_text(encoding="utf-8") == schema_text()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", sorted((ROOT / "studies").glob("*.toml")), ids=lambda path: path.stem)
def test_it_takes_the_shipped_studies(path: Path) -> None:
    jsonschema.validate(tomllib.loads(path.read_text(encoding="utf-8")), schema())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("warmup", "warm_up"),
        ("[1, 8, 64]", "[0]"),
        ("blocks = 6", "blocks = 0"),
        ("tables = 4", "tables = [4]"),
        ('"1G"', "[1]"),
        ("[1, 4]", "[1]"),
        ('"10s"', "10"),
        ('name = "a"', 'name = "A B"'),
    ],
)
def test_it_refuses_what_the_reader_refuses(old: str, new: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(changed(old, new)), schema())


def test_it_takes_what_the_reader_takes() -> None:
    jsonschema.validate(tomllib.loads(VALID), schema())
