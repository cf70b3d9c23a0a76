"""The summary on a terminal."""

from __future__ import annotations

import io
import re

import pytest
from assay.front.terminal import AssayConsole
from assay.front.terminal.output import cell_len
from assay.reporting.report import print_summary
from assay.reporting.report.doubts_said import doubts_sentence
from assay.reporting.report.material import Material
from assay.reporting.report.tables.write import word
from assay.reporting.report.verdict_figure import verdict_figure
from assay.reporting.report.words import load_words
from assay.results.verdict import Figure, HypothesisVerdict, Part
from assay.results.verdict.answers import WholeLadder
from assay.results.verdict.compared import Place
from rich.console import Console

BOX = re.compile("[\u2500-\u257f]+")


def printed(material: Material, width: int, language: str = "en") -> str:
    out = io.StringIO()
    print_summary(material.results, Console(file=out, width=width, no_color=True), language=language)
    return out.getvalue()


def test_the_end_is_a_line_a_verdict_with_one_figure_and_one_line_of_doubts(material: Material) -> None:
    text = printed(material, 1000)
    assert "▲ better" in text
    lines = text.splitlines()
    verdicts = lines[lines.index("Verdicts") + 1 : -1]
    assert [line.split("  ")[1] for line in verdicts[::2]] == [
        word(one.word, load_words("en")) for one in material.results.hypotheses
    ]
    for verdict, line in zip(material.results.hypotheses, verdicts[1::2], strict=True):
        assert line.strip().startswith(verdict_figure(verdict, load_words("en"), "threads"))
    assert lines[-1] == doubts_sentence(load_words("en"), material.results)


def _verdict(claim: str, *parts: Part, mean: Figure | None = None) -> HypothesisVerdict:
    ladders = () if mean is None else (WholeLadder("sides", len(parts), mean, 6),)
    return HypothesisVerdict(claim, None, "supported", (), parts, ladders=ladders)


def _part(figure: Figure, *places: tuple[str, float]) -> Part:
    return Part(tuple(Place(*place) for place in places), "supported", figure, 6, None, ())


_FASTER = Figure("ratio", 16.6, 15.2, 18.0)
_SIDES = [(("index=on", load), ("index=off", load)) for load in (1, 8, 32)]


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (
            _verdict(
                "tps[index=on]/tps[index=off] >= 10", *(_part(_FASTER, *two) for two in _SIDES), mean=_FASTER
            ),
            "index=on is 16.6 ± 1.4 times as fast as index=off (1–32 threads)",
        ),
        (
            _verdict("p95_ms[index=on] < p95_ms[index=off]", _part(_FASTER, *_SIDES[1])),
            "p95_ms of index=on is 16.6 ± 1.4 times that of index=off (8 threads)",
        ),
        (
            _verdict("mean_ms[threads=32] > mean_ms[threads=1]", _part(_FASTER, ("on", 32), ("on", 1))),
            "mean_ms of on at 32 threads is 16.6 ± 1.4 times that at 1 thread",
        ),
        (
            _verdict(
                "p95_ms[on] < 100 ms",
                *(
                    _part(Figure("level", value, unit="ms"), ("on", load))
                    for value, load in ((2.5, 1), (12, 8))
                ),
            ),
            "p95_ms of on: 2.5 to 12.0 ms, at 1 to 8 threads",
        ),
    ],
)
def test_a_verdict_has_one_figure_in_its_sentence(verdict: HypothesisVerdict, said: str) -> None:
    found = verdict_figure(verdict, load_words("en"), "threads").replace("\N{NO-BREAK SPACE}", " ")
    assert re.sub(r"(\d\.\d)0*\b", r"\1", found) == re.sub(r"(\d\.\d)0*\b", r"\1", said)
    assert verdict_figure(verdict, load_words("zh"), "threads")


@pytest.mark.parametrize("width", [40, 80, 100, 200])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_line_is_wider_than_the_terminal_and_no_word_breaks(
    material: Material, width: int, language: str
) -> None:
    def words_at(columns: int) -> tuple[list[str], set[str]]:
        out = io.StringIO()
        console = AssayConsole(file=out, force_terminal=True, width=columns)
        print_summary(material.results, console, language=language)
        text = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue())
        return text.splitlines(), {word.rstrip(":") for word in text.split() if not BOX.fullmatch(word)}

    lines, words = words_at(width)
    assert all(cell_len(line) <= width or len(line.split()) == 1 for line in lines)
    if language == "en":
        assert words <= words_at(1000)[1]


@pytest.mark.parametrize("width", [40, 80])
def test_narrow_terminals_lose_no_row(material: Material, width: int) -> None:
    assert printed(material, width).count("undecided") >= 1


def test_it_speaks_chinese(material: Material) -> None:
    assert "✓ 支持" in printed(material, 120, "zh")
