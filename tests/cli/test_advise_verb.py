"""`assay advise` on results of a study of server variables."""

from __future__ import annotations

import configparser
import json
from pathlib import Path
from typing import Any

import pytest
from assay.testing.results_folder import STUDY_TOML, Truth, make_results
from shell import Shell

SHORT = Truth(measure_s=4, warmup_s=1)


def advised(shell: Shell, place: Path, effect: float, blocks: int = 10) -> str:
    folder = make_results(place, effect=effect, blocks=blocks, truth=SHORT)
    ended = shell("advise", folder.path)
    assert ended.code == 0, ended.err
    return ended.out


@pytest.mark.sampled(1)
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
    folder = make_results(tmp_path / "results", effect=1.3, blocks=8, loads=(8,), truth=SHORT)
    (found,) = json.loads(shell("advise", folder.path, "--json").out)
    (conclusion,) = found["conclusions"]
    assert conclusion["conclusion"] == "set"
    assert conclusion["settings"] == {"innodb_purge_threads": "4"}
    assert conclusion["durability"] == ["unaffected"]
    choice = conclusion["findings"][0]["choice"]
    assert (choice["factor"], choice["outcome"]) == ("innodb_purge_threads", "take")
    assert {one["measure"] for one in choice["level"]["effects"]} >= {"tps", "p95_ms"}
    assert found["fragment"].startswith("# mariadb 10.11.14\n")


def test_a_study_that_varies_nothing_of_a_server(shell: Shell, tmp_path: Path) -> None:
    toml = STUDY_TOML[: STUDY_TOML.index("[[factor]]")].replace("[1, 8, 64]", "[1]")
    folder = make_results(
        tmp_path / "results", study_toml=toml, treatments={"default": {}}, blocks=1, loads=(1,)
    )
    ended = shell("advise", folder.path)
    assert ended.code == 2
    assert "varies no variable of a server" in ended.err


@pytest.mark.long
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
        truth=SHORT,
    )
    parsed = configparser.ConfigParser()
    parsed.read_string(shell("advise", folder.path).out)
    (section,) = parsed.sections()
    assert parsed[section]["innodb_flush_method"] == "O_DIRECT"
    assert parsed[section]["innodb_io_capacity"] == "10000"


SIZE = "server.variables.innodb_redo_log_capacity"


def redo_study(place: Path, **given: Any) -> Path:
    """Results of a study of the redo log's capacity, in which 64M is better."""
    toml = STUDY_TOML.replace("server.variables.innodb_purge_threads", SIZE).replace(
        "[1, 4]", '["16M", "64M"]'
    )
    toml = toml[: toml.index("[[hypothesis]]")]
    treatments = {f"innodb_redo_log_capacity={size}": {SIZE: size} for size in ("16M", "64M")}
    reported = {name: {"innodb_log_file_size": int(name[-3:-1]) << 20} for name in treatments}
    return make_results(
        place,
        study_toml=toml,
        treatments=treatments,
        effect=1.3,
        blocks=8,
        truth=SHORT,
        **{"reported": reported} | given,
    ).path


def test_a_fragment_has_the_names_that_the_server_reported(shell: Shell, tmp_path: Path) -> None:
    """MariaDB has no innodb_redo_log_capacity: it would not start with it."""
    ended = shell("advise", redo_study(tmp_path / "results"))
    assert ended.code == 0, ended.err
    assert "\ninnodb_log_file_size = 67108864\n" in ended.out
    assert "innodb_redo_log_capacity" not in ended.out


def test_several_studies_make_one_fragment(shell: Shell, tmp_path: Path) -> None:
    threads = make_results(tmp_path / "threads", effect=1.3, blocks=8, host="db1", truth=SHORT).path
    redo = redo_study(tmp_path / "redo", host="db2")
    ended = shell("advise", threads, redo)
    assert ended.code == 0, ended.err
    parsed = configparser.ConfigParser()
    parsed.read_string(ended.out)
    assert parsed.sections() == ["mariadb"]
    assert dict(parsed["mariadb"]) == {"innodb_purge_threads": "4", "innodb_log_file_size": "67108864"}
    assert f"# The studies differ in host: purge-threads: db1; purge-threads ({redo}): db2." in ended.out
    assert f"\n# purge-threads ({redo}): innodb_log_file_size = 67108864: tps ×1." in ended.out


@pytest.mark.long
def test_studies_that_disagree_set_nothing(shell: Shell, tmp_path: Path) -> None:
    better = make_results(tmp_path / "better", effect=1.3, blocks=8, loads=(8,), truth=SHORT).path
    worse = make_results(tmp_path / "worse", effect=0.7, blocks=8, seed=2, truth=SHORT).path
    out = shell("advise", better, worse).out
    parsed = configparser.ConfigParser()
    parsed.read_string(out)
    assert not dict(parsed["mariadb"])
    assert "# Conflict: studies advise different values" in out
    assert f"# purge-threads ({worse}): every level but innodb_purge_threads = 1 is worse" in out


@pytest.mark.long
def test_results_of_other_servers_are_fragments_of_their_own(shell: Shell, tmp_path: Path) -> None:
    old = make_results(tmp_path / "old", effect=1.3, blocks=8, loads=(8,), truth=SHORT).path
    names = ("innodb_purge_threads=1", "innodb_purge_threads=4")
    new = make_results(
        tmp_path / "new",
        effect=0.7,
        blocks=8,
        truth=SHORT,
        versions=dict.fromkeys(names, "8.0.36"),
        flavours=dict.fromkeys(names, "mysql"),
    ).path
    found = json.loads(shell("advise", old, new, "--json").out)
    assert [(one["flavour"], one["version"]) for one in found] == [
        ("mariadb", "10.11.14"),
        ("mysql", "8.0.36"),
    ]
    values = [one["conclusions"][0]["settings"]["innodb_purge_threads"] for one in found]
    assert values == ["4", "1"]
    assert "[mysqld]\n" in found[1]["fragment"]


@pytest.mark.long
def test_the_same_results_twice_are_one_study(shell: Shell, tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", effect=1.3, blocks=8, loads=(8,), truth=SHORT).path
    assert shell("advise", folder, folder).out == shell("advise", folder).out


def test_results_of_storage_stand_alone(shell: Shell, tmp_path: Path) -> None:
    folder = make_results(tmp_path / "results", effect=1.3, blocks=8, loads=(8,), truth=SHORT)
    disk = make_results(tmp_path / "disk", blocks=1, truth=SHORT)
    toml = (
        '[study]\nname = "disk"\n[workload]\nuse = "fileio"\n[load]\nthreads = [1]\nmeasure = "1s"\n'
        "[design]\nblocks = 1\n"
    )
    disk.study_file.write_text(toml, encoding="utf-8")
    ended = shell("advise", folder.path, disk.path)
    assert ended.code == 2
    assert "study of storage" in ended.err
