"""What a person reads on a terminal of any width: no line is wider, no word breaks, addresses stay whole."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable

import pytest
from assay.front.cli.group import assay
from assay.front.terminal import AssayConsole, figures_table, say, say_rows
from assay.front.terminal.output import cell_len, cut

WIDTHS = (40, 80, 100, 200)
URL = "http://127.0.0.1:8321/en/results/" + "x" * 90
PATH = "/data/results/a-study-of-many-words/and-a-folder-below-it/report.html"
SENTENCES = (
    f"qps of ps_mode=auto at 12.21 ms is {4 * '1.46 times that of ps_mode=disable, and '}no more: see {URL}",
    f"    supported  the whole interval lies outside 11,430 to 12,600 per second, as {PATH} says",
    "1/2 [ 1s of 30s, 3% ]  64 workers  write 142 IOPS 0.6 MiB/s  sync 141/s  read 5 IOPS  in flight 0",
    "吞吐量是基准的 16.6 倍（95 % 置信区间 15.2 至 18.1），六个区组的结果一致，没有疑点会推翻这一结论。",
)
_BOX = re.compile("[\u2500-\u257f]+")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def by_say(width: int, monkeypatch: pytest.MonkeyPatch) -> tuple[_Terminal, Callable[[str], None]]:
    out = _Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("COLUMNS", str(width))
    return out, say


def by_console(width: int, monkeypatch: pytest.MonkeyPatch) -> tuple[_Terminal, Callable[[str], None]]:
    out = _Terminal()
    console = AssayConsole(file=out, force_terminal=True, width=width)
    return out, lambda text: console.print(text, markup=False)


def words_of(text: str) -> list[str]:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return [word for word in plain.split() if not _BOX.fullmatch(word)]


def check(text: str, width: int) -> None:
    """No line is wider, but for a word that cannot break."""
    for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines():
        assert cell_len(line) <= width or len(line.split()) == 1, line


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", [by_say, by_console])
def test_sentences_break_between_words_alone(
    width: int, kind: Callable[..., tuple[_Terminal, Callable[[str], None]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in SENTENCES:
        out, show = kind(width, monkeypatch)
        show(text)
        said = out.getvalue()
        check(said, width)
        if "吞吐量" in text:
            assert "".join(words_of(said)) == "".join(text.split())
            assert not re.search("^[，。）]|（$", said, re.MULTILINE)
        else:
            assert words_of(said) == text.split()


@pytest.mark.parametrize("width", WIDTHS)
def test_tables_that_do_not_fit_become_lists(width: int) -> None:
    def drawn(columns: int) -> str:
        out = io.StringIO()
        table = figures_table("load", *(f"innodb_flush_log_at_trx_commit={n}" for n in range(4)))
        table.add_row("threads 8", *(f"{n},234.5 [{n},100.2, {n},400.9]" for n in range(4)))
        AssayConsole(file=out, force_terminal=True, width=columns).print(table)
        return out.getvalue()

    said = drawn(width)
    check(said, width)
    assert {word.rstrip(":") for word in words_of(said)} == set(words_of(drawn(1000)))


@pytest.mark.parametrize("width", WIDTHS)
def test_rows_are_cut_at_words(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    out, _ = by_say(width, monkeypatch)
    titles = (
        "Point selects over threads, and one more",
        "索引值多少钱？一个很长的标题，放不下一行，不得不截断",
    )
    say_rows([("quickstart", title, "12 of 12 runs done") for title in titles], give=1)
    lines = out.getvalue().splitlines()
    assert len(lines) == 2
    assert all(cell_len(line) <= width for line in lines)
    if width > 40:
        assert all(line.rstrip().endswith("done") for line in lines)
    for line, title in zip(lines, titles, strict=True):
        assert title in line or "…" in line


def test_a_cut_is_between_words() -> None:
    assert cut("What does a safe commit cost?", 20) == "What does a safe …"
    assert cut("What", 4) == "What"
    assert cell_len(cut("索引值多少钱", 7)) <= 7


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("verb", [[], ["run"], ["server"]])
def test_help_is_as_wide_as_the_terminal(
    width: int, verb: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assay.main([*verb, "--help"], prog_name="assay", standalone_mode=False)
    text = capsys.readouterr().out
    prose = [line for line in text.splitlines() if not line.startswith("    assay ")]  # an example is pasted
    check("\n".join(prose), width)
    monkeypatch.setenv("COLUMNS", "1000")
    assay.main([*verb, "--help"], prog_name="assay", standalone_mode=False)
    whole = set(words_of(capsys.readouterr().out))
    assert {word for word in words_of(text) if not word.endswith("...")} <= whole  # click cuts summaries
