"""A study with a key overridden on the command line: valid TOML of every kind, and a faithful copy."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import parse_study
from assay.design.study.text.override import with_changes
from assay.design.study.text.study_text import StudyText
from each import each

from studies import SHIPPED, VALID

SETTINGS = [("server", "use", 'path:/opt/a "new" one'), ("design", "blocks", 99)]
REST = '[workload]\nuse = "select"\n[load]\nthreads = [1]\n'


def kept(text: str, table: str, key: str, value: str | int) -> str:
    return with_changes(StudyText(Path("a.toml"), text), {(table, key): value}).kept


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("table", "key", "value"), SETTINGS)
def test_one_setting_is_changed_and_nothing_else(table: str, key: str, value: str | int) -> None:
    def is_changed(study: Path) -> None:
        text = study.read_text(encoding="utf-8")
        before, after = tomllib.loads(text), tomllib.loads(kept(text, table, key, value))
        assert after[table].pop(key) == value
        before.setdefault(table, {}).pop(key, None)
        assert after == before

    each(SHIPPED, is_changed)


@pytest.mark.parametrize(
    "server",
    [
        '[ server ]\nuse = "mariadb"',
        '[server]\n  use = "mariadb"',
        '[server]\nuse="mariadb" # the one\n',
        "[server]\nuse = 'mariadb'",
        '[server.variables]\nsync_binlog = 1\n[server]\nuse = "mariadb"',
        "[server]\n[server.variables]\nsync_binlog = 1",
        '["server"]\n"use" = "mariadb"',
    ],
)
def test_tables_in_every_spelling(server: str) -> None:
    text = f'[study]\nname = "a" # kept\n{server}\n{REST}'
    changes = {("server", "use"): "mysql@8.4", ("design", "blocks"): 2}
    copy = with_changes(StudyText(Path("a.toml"), text), changes).kept
    told, read = parse_study(text, Path("a.toml"), changes=changes), parse_study(copy, Path("a.toml"))
    assert told == read
    assert (read.server.use, read.design.blocks) == ("mysql@8.4", 2)
    assert "# kept" in copy


@pytest.mark.parametrize(
    "server", ['server = { use = "mariadb" }', 'server.use = "mariadb"', "server = {}", "server.cpus = '0'"]
)
def test_inline_and_dotted(server: str) -> None:
    text = f'{server}\nstudy.name = "a"\n{REST}'
    changes = {("server", "use"): "mysql@8.4"}
    copy = with_changes(StudyText(Path("a.toml"), text), changes).kept
    assert parse_study(copy, Path("a.toml")) == parse_study(text, Path("a.toml"), changes=changes)
    assert tomllib.loads(copy)["server"]["use"] == "mysql@8.4"


def test_without_changes_it_is_the_file_byte_for_byte() -> None:
    source = StudyText(Path("a.toml"), VALID)
    assert with_changes(source, {}).kept is VALID


def test_a_factor_cannot_be_fixed() -> None:
    text = VALID.replace(
        '"schema.index"\nlevels = [true, false]', '"server.use"\nlevels = ["mariadb", "mysql"]'
    )
    text = text.replace('use = "mariadb"\n', "", 1)
    with pytest.raises(InputError, match=r'a\.toml:\d+: .*"server\.use" is a factor of this study'):
        parse_study(text, Path("a.toml"), changes={("server", "use"): "mysql"})


def test_complaints_name_the_lines_of_the_file_as_it_is() -> None:
    text = "[design]\n# here\n" + VALID.replace("[design]\nblocks = 6\n", "").replace("[1, 8, 64]", "[0]")
    line = text.splitlines().index("threads = [0]") + 1
    with pytest.raises(InputError, match=rf"a\.toml:{line}: load\.threads"):
        parse_study(text, Path("a.toml"), changes={("design", "blocks"): 2})
