"""Fragments of my.cnf: the settings, their risks, and what is not set, in two languages."""

from __future__ import annotations

import configparser
import io
from dataclasses import replace
from pathlib import Path

import pytest
from assay.reporting.report import load_words, my_cnf, print_summary, write_report
from assay.reporting.report.material import Material
from assay.results.advice import Effect, Finding, ServerAdvice, Source, TriedFactor, TriedLevel, choose
from assay.testing.builders import decision
from reading import Page
from rich.console import Console
from synthetic import HOSTILE, planted_advice

pytestmark = pytest.mark.usefixtures("undrawn")

FLUSH = "innodb_flush_log_at_trx_commit"


def advice(first: str, value: str, word: str = "better", name: str = FLUSH, **source: object) -> ServerAdvice:
    effect = Effect("tps", 8.0, "threads", decision(1.85, 1.75, 1.95), word, **source)  # type: ignore[arg-type]
    levels = (TriedLevel({name: first}), TriedLevel({name: value}, (effect,)))
    finding = Finding(Source("s", 6), choose(TriedFactor(name, levels)))
    return ServerAdvice("mysql", "8.0.15", (finding,))


def written_lines(found: ServerAdvice, language: str = "en") -> list[str]:
    return my_cnf(found, load_words(language)).splitlines()


def set_values(text: str) -> dict[str, str]:
    parsed = configparser.ConfigParser()
    parsed.read_string(text)
    (section,) = parsed.sections()
    return dict(parsed[section])


def test_a_setting_has_effect_interval_durability_and_study() -> None:
    assert written_lines(advice("1", "4", name="innodb_purge_threads")) == [
        "# mysql 8.0.15",
        "# Study s: 6 blocks.",
        "# Each ratio is to the first level in the study, with its interval.",
        "[mysqld]",
        "",
        "# s: innodb_purge_threads = 4: tps ×1.85 [1.75, 1.95] at 8 threads",
        "# durability: unaffected",
        "innodb_purge_threads = 4",
    ]


def test_a_level_that_gives_up_durability_is_a_comment() -> None:
    assert written_lines(advice("1", "2"))[5:] == [
        f"# s: {FLUSH} = 2: tps ×1.85 [1.75, 1.95] at 8 threads",
        "# RISK: about a second of commits may be lost when the machine goes down",
        "# Not set: it is less durable than the server can be.",
        f"# {FLUSH} = 2",
    ]


def test_a_level_that_risks_nothing_is_set() -> None:
    assert written_lines(advice("2", "1"))[-2:] == ["# durability: full", f"{FLUSH} = 1"]
    assert written_lines(advice("0", "2"))[-1] == f"# {FLUSH} = 2"


@pytest.mark.parametrize("word", ["better", "worse"])
@pytest.mark.parametrize(
    ("name", "first", "value"),
    [
        ("autocommit", "ON", "OFF"),
        ("foreign_key_checks", "ON", "OFF"),
        ("sql_mode", "STRICT_TRANS_TABLES", "ANSI"),
        ("skip_grant_tables", "OFF", "ON"),
        ("default_storage_engine", "MyISAM", "MEMORY"),
        ("a_variable_of_tomorrow", "1", "2"),
        ("innodb_checksum_algorithm", "none", "strict_none"),
        (FLUSH, "0", "2"),
    ],
)
def test_nothing_is_set_that_is_unsafe_or_not_known(name: str, first: str, value: str, word: str) -> None:
    for found in (advice(first, value, word, name=name), advice(value, first, word, name=name)):
        (one,) = found.conclusions()
        assert one.settings
        if one.durability != ("full",):
            assert not set_values(my_cnf(found, load_words("en")))
            assert any(line.startswith("# RISK: ") for line in written_lines(found))


def test_a_first_level_that_is_kept_has_its_risk() -> None:
    assert written_lines(advice("2", "1", "worse"))[5:] == [
        f"# s: every level but {FLUSH} = 2 is worse",
        f"# s: {FLUSH} = 1: tps ×1.85 [1.75, 1.95] at 8 threads",
        "# RISK: about a second of commits may be lost when the machine goes down",
        "# Not set: it is less durable than the server can be.",
        f"# {FLUSH} = 2",
    ]


def test_only_decided_settings_are_in_force() -> None:
    text = my_cnf(planted_advice(), load_words("en"))
    assert set_values(text) == {"innodb_purge_threads": "2"}
    for said in (
        "# Conflict: studies advise different values, or one found the advised value worse:\n"
        "# purge-threads: innodb_io_capacity = 2: tps",
        "# another: every level but innodb_io_capacity = 1 is worse\n# another: innodb_io_capacity = 2: tps",
        "# Made no difference:\n#   purge-threads: innodb_page_cleaners = 2: tps",
        "# Better at some load points and worse at others:\n#   purge-threads: innodb_lru_scan_depth = 2:",
        "# Undecided: more blocks are needed:\n#   purge-threads: sync_binlog = 2: tps",
        "# The studies differ in host: purge-threads: db1; another: db2.",
        "# Study another: 6 blocks.",
    ):
        assert said in text


def test_a_workload_of_several_is_named() -> None:
    assert "at 8 threads of tpcc" in my_cnf(advice("1", "2", workload="tpcc"), load_words("en"))
    assert "（tpcc，8 线程）" in my_cnf(advice("1", "2", workload="tpcc"), load_words("zh"))


def test_names_of_the_study_are_called_so() -> None:
    found = replace(advice("1", "2"), names_known=False)
    assert "# The results do not record the server's variables" in my_cnf(found, load_words("en"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_text_of_a_study_begins_a_line_of_its_own(language: str) -> None:
    evil = "x\n[client]\nuser = root"
    found = advice("1", evil, name="optimizer_a\nb", workload=evil)
    finding = replace(found.findings[0], source=Source(evil, 6, {"host": evil}))
    other = replace(finding, source=Source("s", 6))
    text = my_cnf(ServerAdvice("mysql", evil, (finding, other)), load_words(language))
    assert [line for line in text.splitlines() if line and line[0] not in "#"] == [
        "[mysqld]",
        r"optimizer_a\x0ab = x\x0a[client]\x0auser = root",
    ]


def test_the_page_and_a_file_have_the_fragment(written: Path) -> None:
    for name, file, said in (
        ("report.html", "mariadb-10.11.14.cnf", "Made no difference: innodb_page_cleaners = 1, "),
        ("report.zh.html", "mariadb-10.11.14.zh.cnf", "没有差异：innodb_page_cleaners = 1、"),
    ):
        text = (written / name).read_text(encoding="utf-8")
        section = text[text.index('id="settings"') : text.index('id="distribution"')]
        fragment = (written / "settings" / file).read_text(encoding="utf-8")
        assert set_values(fragment) == {"innodb_purge_threads": "2"}
        shown = section[section.index("<code>") + 6 : section.index("</code>")]
        assert "\ninnodb_purge_threads = 2\n" in shown
        assert HOSTILE not in shown
        assert f'href="settings/{file}"' in section
        assert said in section
    rows = Page((written / "report.html").read_text(encoding="utf-8")).tables["settings"]
    assert rows[1][1] == "innodb_purge_threads = 2"
    assert rows[1][-2:] == ["▲ set", "unaffected"]
    assert [row[-2] for row in rows[1:]] == [
        "▲ set",
        "! not set: less durable",
        "! conflict",
        "! conflict",
        "= no difference",
        "~ depends on the load",
        "? undecided",
    ]
    assert (written / "tables" / "settings.md").is_file()


def test_without_a_decided_comparison_there_is_no_section(material: Material, tmp_path: Path) -> None:
    few = advice("1", "2", "estimate-only")
    page = write_report(
        material.study, material.results, material.store, tmp_path, languages=("en",), advice=[few]
    )
    assert 'id="settings"' not in page.read_text(encoding="utf-8")
    assert not (tmp_path / "settings").exists()
    assert not (tmp_path / "tables" / "settings.csv").exists()


def test_a_fragment_that_is_no_longer_advised_is_removed(material: Material, tmp_path: Path) -> None:
    for found in ([advice("2", "1")], []):
        write_report(
            material.study, material.results, material.store, tmp_path, languages=("en",), advice=found
        )
        assert (tmp_path / "settings" / "mysql-8.0.15.cnf").exists() == bool(found)


@pytest.mark.parametrize(
    ("language", "heading", "remark"),
    [
        (
            "en",
            "Settings for my.cnf: mariadb 10.11.14",
            "Undecided: more blocks are needed: sync_binlog",
        ),
        ("zh", "my.cnf 设置：mariadb 10.11.14", "未定：需要更多区组：sync_binlog = 2。"),
    ],
)
def test_the_terminal_has_the_settings(material: Material, language: str, heading: str, remark: str) -> None:
    out = io.StringIO()
    console = Console(file=out, width=150, no_color=True)
    print_summary(material.results, console, language=language, advice=material.advice)
    text = out.getvalue()
    assert heading in text
    assert "\n  innodb_purge_threads = 2\n" in text
    assert remark in text
    assert f"\n  {FLUSH} = 2\n" not in text
