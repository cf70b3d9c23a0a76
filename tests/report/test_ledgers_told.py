"""Ledgers in sentences, tables and charts, of one treatment and of several, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from assay.reporting.report.charts import ledger
from assay.reporting.report.charts.chart import Chart
from assay.reporting.report.ledger_sentences import Telling, missing_ledgers, told_of, why_sentences
from assay.reporting.report.material import Material
from assay.reporting.report.tables import ledgers
from assay.reporting.report.tables.write import to_csv, to_markdown
from assay.reporting.report.words import LANGUAGES, load_words
from assay.results.verdict import COUNTERS, REST, LedgerShift, LineShift, LineWord, Unwatched
from assay.results.verdict.why.figures import counter_figures
from assay.testing.contracts import ChartContract
from synthetic import make_material, renamed


def line(
    group: str, change: float, word: LineWord = "moved", *, name: str = "", unit: str = "us", of: float = 40.0
) -> LineShift:
    limit = abs(change) + 0.8 if word == "bounded" else None
    return LineShift(
        group,
        name,
        unit,
        of,
        of + change,
        change,
        change - 0.5,
        change + 0.5,
        word,
        limit,
        0.75,
        0.001,
        change / 4,
    )


def shifts(baseline: str, other: str, load: float) -> tuple[LedgerShift, ...]:
    cpu = (
        line("row-locks", 3.1),
        line("row-locks", 2.9, name="lock_rec_lock"),
        line("row-locks", 0.2, "bounded", name=REST),
        line("commit", 1.2),
        line("unnamed", -0.3, "bounded"),
    )
    counters = (
        line("server_cpu_us_per_query", 4.0),
        line("pages_read_per_query", 3.2, unit="1", of=1.0),
        line("sort_passes_per_query", -0.6, unit="1", of=1.0),
        line("redo_bytes_per_transaction", 900.0, unit="B", of=0.0),
        line("fsyncs_per_transaction", 0.1, "by-the-clock", unit="1"),
        line("bytes_sent_per_query", 0.1, "bounded", unit="B"),
    )
    whole = {"before": 44.0, "after": 48.0, "change": 4.0, "low": 3.5, "high": 4.5, "moved": True}
    return (
        LedgerShift(baseline, other, load, "cpu", 8, cpu, **whole, apart=0.0),
        LedgerShift(baseline, other, load, "time", 8, cpu[3:], **whole, apart=0.0),
        LedgerShift(baseline, other, load, COUNTERS, 8, counters, uncompared=("full_scans_per_query",)),
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Material]]:
    """Results of two and of four treatments, each in both languages."""
    found = []
    for count in (2, 4):
        one = make_material(tmp_path_factory.mktemp(f"of-{count}"), treatments=count, loads=(8,), blocks=2)
        if count == 4:
            names = [
                f"ps_mode={a}, performance_schema={b}" for a in ("auto", "disable") for b in ("off", "on")
            ]
            one = renamed(one, names)
        first, *others = one.results.treatments
        explained = tuple(shift for other in others for shift in shifts(first, other, 8))
        found.append(replace(one, results=replace(one.results, ledgers=explained)))
    yield [replace(one, words=load_words(language)) for one in found for language in LANGUAGES]
    for one in found:
        one.store.close()


@pytest.mark.parametrize("draw", [ledger.draw, ledger.draw_time], ids=["cpu", "time"])
class TestLedgerCharts(ChartContract):
    @pytest.fixture
    def material(self, made: list[Material]) -> Material:
        return made[0]

    @pytest.fixture
    def shapes(self, made: list[Material]) -> list[Material]:
        return made


def test_a_sentence_has_the_whole_and_its_lines(made: list[Material]) -> None:
    results, (one, other) = made[0].results, made[0].results.treatments
    cpu, _, counters = why_sentences(results.ledgers, Telling.of(results, load_words("en"), {}))
    assert cpu == (
        f"{other} against {one}, at 8 threads: server processor time per query +9.1 % (8.0…10.2):"
        " row locks +3.1 µs, commit +1.2 µs, together 108 % of it."
    )
    assert counters == (
        f"{other} against {one}, at 8 threads: server CPU per query +10 % (9…11);"
        " 3.2 more pages read per query; 0.60 fewer sort merge passes per query;"
        " redo log per transaction 900 B, not 0."
    )
    how = Telling.of(results, load_words("en"), {}, most=1)
    assert "and 1 more line" in told_of(results.ledgers, how) or "1 more line" in told_of(
        results.ledgers, how
    )
    assert "costs" not in told_of(results.ledgers, how)
    words, some = load_words("en"), results.ledgers
    assert missing_ledgers(some, results, words)[0].startswith("There is no ledger of waits")
    off = Unwatched("waits", ("waits",), "performance_schema is off", "", 8, 8, is_partly=True)
    partly = Unwatched("stacks", ("cpu",), "perf refuses", "run as root", 3, 8)
    assert missing_ledgers(some, replace(results, unwatched=(partly, off), watched_runs=8), words) == [
        "server processor time per query: 3 of 8 runs lack a source: perf refuses; run as root.",
        "No ledger of waits per transaction: performance_schema is off.",
    ]
    blind = Unwatched("stacks", ("cpu",), "functions of the kernel are not seen; run as root", "", 8, 8, True)
    assert missing_ledgers(some, replace(results, unwatched=(blind,), watched_runs=8), words)[0] == (
        "server processor time per query, in 8 of 8 runs: functions of the kernel are not seen; run as root."
    )
    none = replace(results, unwatched=(partly, blind), watched_runs=8)
    assert [one for one in missing_ledgers((), none, words) if "root" in one] == [
        "No ledger of server processor time per query, as 3 of 8 runs lack a source: perf refuses;"
        " run as root.",
        "server processor time per query, in 8 of 8 runs: functions of the kernel are not seen; run as root.",
    ]
    assert "saw nothing" in missing_ledgers(some, replace(results, watched_runs=8), words)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_open_says_how_much_would_have_been_seen(made: list[Material], language: str) -> None:
    results, words = made[0].results, load_words(language)
    cpu = results.ledgers[0]
    still = tuple(replace(one, word="bounded", limit=0.9) for one in cpu.groups)
    early = tuple(replace(one, word="estimate-only", limit=None) for one in cpu.groups)
    cases = {
        "0.750 µs": replace(cpu, lines=still, moved=False),
        "0.750": replace(cpu, lines=still),
        "6": replace(cpu, lines=early, blocks=5, moved=False),
    }
    how = Telling.of(results, words, {})
    for part, shift in cases.items():
        (said,) = why_sentences([shift], how)
        assert part in said
    assert told_of([replace(cpu, lines=still)], how) == ""


def test_tables_have_every_line_and_of_counters_those_that_moved(made: list[Material]) -> None:
    for material in made:
        found = {table.name: table for table in ledgers.tables(material)}
        others = len(material.results.treatments) - 1
        assert len(found["ledger-cpu"].rows) == 6 * others
        assert len(found["ledger-counters"].rows) == 5 * others
        assert found["ledger-counters"].folded
        for table in found.values():
            assert table.says
            assert to_markdown(table, material.words)
            assert len({len(row) for row in table.rows}) == 1
    text = to_csv(next(table for table in ledgers.tables(made[0]) if table.name == "ledger-cpu"))
    assert text.splitlines()[0].startswith("treatment,load,line,within,unit")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_has_a_name(language: str) -> None:
    words = load_words(language)
    for figure in counter_figures():
        assert words.get(f"ledger.figure.{figure.name}", "")


def test_a_chart_has_the_largest_groups_first(made: list[Material]) -> None:
    chart = ledger.draw(made[0])
    assert isinstance(chart, Chart)
    assert [bar.group for bar in chart.records] == ["row-locks", "commit", "unnamed"]
    assert ledger.draw(replace(made[0], results=replace(made[0].results, ledgers=()))) is None
