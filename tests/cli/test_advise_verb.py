"""`assay advise` on results of a study of server variables."""

from __future__ import annotations

import configparser
import json
from pathlib import Path

import pytest
from assay.server import Build
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from shell import Shell


def advised(shell: Shell, place: Path, effect: float, blocks: int = 10) -> str:
    folder = make_results(place, effect=effect, blocks=blocks, truth=Truth(measure_s=4, warmup_s=1))
    ended = shell("advise", folder.path)
    assert ended.code == 0, ended.err
    return ended.out


@pytest.mark.parametrize(("effect", "value"), [(1.3, "4"), (0.7, "1"), (1.0, None)])
def test_a_fragment_has_what_was_found_better(
    shell: Shell, tmp_path: Path, effect: float, value: str | None
) -> None:
    text = advised(shell, tmp_path / "results", effect)
    parsed = configparser.ConfigParser()
    parsed.read_string(text)
    (section,) = parsed.sections()
    assert parsed[section].get("innodb_purge_threads") == value
    assert "10 blocks" in text


def test_json_has_each_effect(shell: Shell, tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", effect=1.3, blocks=8)
    found = json.loads(shell("advise", folder.path, "--json").out)
    (choice,) = found["choices"]
    assert (choice["factor"], choice["outcome"]) == ("innodb_purge_threads", "take")
    assert {one["measure"] for one in choice["level"]["effects"]} >= {"tps", "p95_ms"}
    assert found["fragment"].startswith("# ")


def test_a_study_that_varies_nothing_of_a_server(shell: Shell, tmp_path: Path) -> None:
    toml = STUDY_TOML[: STUDY_TOML.index("[[factor]]")].replace("[1, 8, 64]", "[1]")
    folder = make_results(
        tmp_path / "results", study_toml=toml, treatments={"default": {}}, blocks=1, loads=(1,)
    )
    ended = shell("advise", folder.path)
    assert ended.code == 2
    assert "varies no variable of a server" in ended.err


def test_a_factor_of_several_keys_is_taken_whole(shell: Shell, tmp_path: Path) -> None:
    start, end = STUDY_TOML.index("[[factor]]"), STUDY_TOML.index("[design]")
    tied = (
        '[[factor]]\nname = "disk"\n'
        'keys = ["server.variables.innodb_flush_method", "server.variables.innodb_io_capacity"]\n'
        'levels = ["hdd", "ssd"]\nvalues = [["fsync", 200], ["O_DIRECT", 10000]]\n\n'
    )
    design = STUDY_TOML[end : STUDY_TOML.index("[[hypothesis]]")]
    folder = make_results(
        tmp_path / "results",
        study_toml=STUDY_TOML[:start] + tied + design,
        treatments={f"disk={level}": {"disk": level} for level in ("hdd", "ssd")},
        effect=1.3,
        blocks=10,
        truth=Truth(measure_s=4, warmup_s=1),
    )
    parsed = configparser.ConfigParser()
    parsed.read_string(shell("advise", folder.path).out)
    (section,) = parsed.sections()
    assert parsed[section]["innodb_flush_method"] == "O_DIRECT"
    assert parsed[section]["innodb_io_capacity"] == "10000"


def test_a_fragment_has_the_names_of_the_server(shell: Shell, tmp_path: Path, mariadb_build: Build) -> None:
    """MariaDB has no innodb_redo_log_capacity: it would not start with it."""
    name = "server.variables.innodb_redo_log_capacity"
    toml = STUDY_TOML.replace("server.variables.innodb_purge_threads", name).replace(
        "[1, 4]", '["16M", "64M"]'
    )
    toml = toml[: toml.index("[[hypothesis]]")]
    treatments = {f"innodb_redo_log_capacity={size}": {name: size} for size in ("16M", "64M")}
    folder = make_results(
        tmp_path / "results",
        study_toml=toml,
        treatments=treatments,
        effect=1.3,
        blocks=8,
        versions=dict.fromkeys(treatments, mariadb_build.version_number),
    )
    ended = shell("advise", folder.path)
    assert ended.code == 0, ended.err
    assert "\ninnodb_log_file_size = 67108864\n" in ended.out
    assert "innodb_redo_log_capacity" not in ended.out
