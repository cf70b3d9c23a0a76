"""Prints the results on a terminal: one wide table, a line for each verdict, and what doubts can do."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from assay.base import numbers
from assay.base.printable import line
from assay.design.study import SERVER, kind_measured
from assay.reporting.report.doubts_said import doubts_sentence
from assay.reporting.report.my_cnf import effects_of, remarks, server_name
from assay.reporting.report.records.screening import advised, effect_bars, is_single, ranked
from assay.reporting.report.tables.cells import why_no_ratio
from assay.reporting.report.tables.write import word
from assay.reporting.report.verdict_figure import verdict_figure
from assay.reporting.report.words import Words, load_words
from assay.results.verdict import kinds_of_doubt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from assay.design.study import LoadKind
    from assay.results.advice import ServerAdvice
    from assay.results.verdict import Comparison, Estimate, HypothesisVerdict, Results

COLOURS = {
    "better": "bright_blue",
    "worse": "yellow",
    "same": "green",
    "more": "bright_black",
    "less": "bright_black",
    "undecided": "bright_black",
    "estimate-only": "bright_black",
    "worth-a-study": "bright_blue",
    "supported": "green",
    "refuted": "red",
}
MEASURES = ("tps", "p95_ms")  # of a steady load; an experiment shows what it measures


def print_summary(
    results: Results, console: Console, *, language: str = "en", advice: Sequence[ServerAdvice] = ()
) -> None:
    """Prints tps and p95 by load and treatment with ratios to the baseline, verdicts, advised settings, and
    doubts.
    """
    words = load_words(language).of(kind_measured(results.headlines[0]))
    if results.scale is not None:
        name = words("page.scale", name=results.scale)
        console.print(Text.assemble((name, "bold"), "  ", words.title(results.scale_about, "")))
    if results.screening is not None:
        _print_effects(results, console, words)
    for part in results.workloads:
        console.print(Text(part.workload, style="bold"))
        _print_measures(results.part(part), console, words)
    if not results.workloads and results.screening is None:
        _print_measures(results, console, words)
    if results.copies:
        _print_copies(results, console, words)
    for server in advice:
        if server.is_judged:
            _print_settings(server, console, words)
    if results.runs_failed:
        console.print(Text(words("terminal.failed", count=len(results.runs_failed)), style="bold red"))
        for run, reason in results.runs_failed:
            console.print(Text(f"  {run}: {line(reason)}", style="red"))
    if results.hypotheses:
        console.print(Text(words("terminal.verdicts"), style="bold"))
    for verdict in results.hypotheses:
        named = (word(verdict.word, words), f"bold {COLOURS[verdict.word]}")
        console.print(Text.assemble("  ", named, "  ", verdict.claim))
        console.print(Text(f"    {_came_to(verdict, words, results.load_kind)}"))
    turns = any(one.turned or one.severity == "invalid" for one in kinds_of_doubt(results))
    console.print(Text(doubts_sentence(words, results), style="yellow" if turns else ""))


def _came_to(verdict: HypothesisVerdict, words: Words, kind: LoadKind) -> str:
    """Returns the figure of a verdict, and how many more blocks would settle it."""
    said = verdict_figure(verdict, words, kind)
    if verdict.too_many_blocks:
        return words.clauses([said, words("terminal.too-many")])
    if verdict.more_blocks is not None:
        return words.clauses([said, words("terminal.more", blocks=verdict.more_blocks)])
    return said


def _print_settings(advice: ServerAdvice, console: Console, words: Words) -> None:
    """Prints a server's settings, each with its effect on throughput, and what is not set."""
    console.print(Text(words("terminal.settings", server=server_name(advice)), style="bold"))
    for one in advice.conclusions():
        if one.conclusion == "set":
            for name, value in one.settings.items():
                console.print(Text(line(f"  {name} = {value}")))
            for level in one.findings[0].choice.levels:
                for measure, effects in islice(effects_of(level, words), 1):
                    console.print(Text(f"    {line(level)}: {measure} {effects}", style="dim"))
    for remark in remarks(advice, words):
        console.print(Text(f"  {remark}"))


def _print_measures(results: Results, console: Console, words: Words) -> None:
    for measure in MEASURES if results.headlines == SERVER.headlines else results.headlines:
        if any(e.measure == measure for e in results.estimates):
            console.print(_wide(results, measure, words))


def _print_effects(results: Results, console: Console, words: Words) -> None:
    """Prints the effect of each factor of a screen, the largest first, and which factors to follow up."""
    effects = ranked(results)
    for measure in results.headlines[:1]:
        for load in results.loads:
            bars = [one for one in effect_bars(results) if (one.measure, one.load) == (measure, load)]
            title = f"{words('screening.title')}: {words.measure(measure)}, {numbers.number(load)}"
            table = Table(title=escape(title), title_justify="left", header_style="bold")
            for key in ("factor", "from", "to"):
                table.add_column(words(f"column.{key}"), overflow="fold")
            table.add_column(words("column.ratio"), justify="right")
            table.add_column("")
            for one in bars:
                table.add_row(
                    *map(escape, (one.factor, one.first, one.level)),
                    numbers.ratio_with_interval(one.ratio, one.low, one.high),
                    Text(word(one.word, words), style=COLOURS[one.word]),
                )
            if bars:
                console.print(table)
    console.print(words("screening.lenth" if is_single(effects) else "summary.screen"))
    console.print(Text(advised(results, words) or words("screening.empty"), style="bold"))


def _print_copies(results: Results, console: Console, words: Words) -> None:
    """Prints how much equal treatments vary, and how many comparisons call them different."""
    table = Table(title=words("copies.title"), title_justify="left", header_style="bold")
    table.add_column(words("column.measure"))
    table.add_column(words(f"load.{results.load_kind}"), justify="right")
    for key in ("noise", "degrees", "by-position", "position-p", "drift", "drift-p"):
        table.add_column(words(f"column.{key}"), justify="right")
    for one in results.copies:
        noise, low, high = (100 * share for share in (one.log_sd, one.low, one.high))
        table.add_row(
            words.measure(one.measure),
            numbers.number(one.load),
            f"{numbers.number(noise, 2)} % [{numbers.number(low, 2)}, {numbers.number(high, 2)}]",
            str(one.degrees),
            " ".join(numbers.ratio(ratio) for ratio in one.by_position),
            numbers.number(one.position_p, 3),
            numbers.NOTHING if one.drift is None else f"{100 * (one.drift - 1):+.2f} %",
            numbers.number(one.drift_p, 3),
        )
    console.print(table)
    alarms, compared = len(results.false_alarms), len(results.comparisons)
    said = words("copies.alarms", alarms=alarms, compared=compared)
    console.print(Text(said, style="yellow" if alarms else ""))


def _wide(results: Results, measure: str, words: Words) -> Table:
    estimates: dict[tuple[str, float], Estimate] = {
        (e.treatment, e.load): e for e in results.estimates if e.measure == measure
    }
    baseline = results.treatments[0]
    ratios: dict[tuple[str, float], Comparison] = {
        (c.other, c.load): c for c in results.comparisons if c.measure == measure and c.baseline == baseline
    }
    unit = words.unit(next(e.unit for e in estimates.values()))
    table = Table(
        title=escape(words.with_unit(words.measure(measure), unit)),
        title_justify="left",
        header_style="bold",
    )
    table.add_column(words(f"load.{results.load_kind}"), justify="right")
    for treatment in results.treatments:
        table.add_column(escape(treatment), justify="right", overflow="fold")
    seen = [c.detectable for c in ratios.values() if c.detectable is not None]
    if seen:
        ends = dict.fromkeys(numbers.ratio(one) for one in (min(seen), max(seen)))
        table.caption = words("terminal.detectable", ratios="–".join(ends))
        table.caption_justify = "left"
    for load in results.loads:
        cells = [Text(numbers.number(load))]
        for treatment in results.treatments:
            e = estimates.get((treatment, load))
            cell = Text(numbers.with_interval(e.value, e.low, e.high) if e else numbers.NOTHING)
            if e is not None and e.at_least:
                cell = Text(numbers.AT_LEAST).append(cell)
            c = ratios.get((treatment, load))
            if c is not None:
                ratio = f"{numbers.BOUNDS[c.bound]}×{numbers.ratio_within(c.ratio, c.low, c.high)}"
                cell.append(f"\n{ratio} {word(c.word, words)}", style=COLOURS[c.word])
            elif ratios and treatment != baseline and e is not None and (baseline, load) in estimates:
                why = why_no_ratio(estimates[baseline, load], e)
                cell.append(f"\n{numbers.NOTHING} {word(why, words)}", style="bright_black")
            cells.append(cell)
        table.add_row(*cells)
    return table
