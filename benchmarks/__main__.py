"""Compares Assay with sysbench and other peers on the same server, as ratios: `python -m benchmarks
--help`.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks import peer
from benchmarks.document import RESULTS, write_page
from benchmarks.ending import exit_as
from benchmarks.outcome import Origin, Outcome, begun, origin, save
from benchmarks.rounds import measure
from benchmarks.rows import Samples
from benchmarks.section import Section
from benchmarks.sections import SECTIONS
from benchmarks.servers import Servers
from benchmarks.settings import QUICK, Settings
from benchmarks.spread import State
from benchmarks.table import CHECKS, MARK, table_of
from benchmarks.wording import verdicts

_STYLES = {
    State.REACHED: "green",
    State.WITHIN_NOISE: "yellow",
    State.INCONCLUSIVE: "yellow",
    State.SHORT: "red",
}


def main() -> int:
    options = _arguments()
    settings = _settings(options)
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    with Servers(options.server, settings.tables, settings.table_size) as servers:
        where = origin(
            settings, f"{servers.build.flavour.title} {servers.build.version_text}", peer.version()
        )
        console.print(f"{where.peer} and the engine on {where.server}\n{where.machine}\n{where.settings}")
        outcomes = [
            _bench(SECTIONS[name], settings, servers, where, options, console)
            for name in options.sections or options.only or SECTIONS
        ]
    rows = [row for outcome in outcomes for row in outcome.rows if row.state is not None]
    short, open_ = (sum(row.state is one for row in rows) for one in (State.SHORT, State.INCONCLUSIVE))
    console.print(
        f"{len(rows)} lines with a target, {short} fall short, {open_} are inconclusive."
        f" Data: {options.results}/*.json"
    )
    if options.write_docs:
        console.print(f"written: {write_page(options.results)}")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "sections", nargs="*", type=_section, metavar="SECTION", help=f"all, or some of {', '.join(SECTIONS)}"
    )
    parser.add_argument("--only", nargs="+", type=_section, metavar="SECTION", help="the same")
    parser.add_argument(
        "--cells",
        action="append",
        metavar="TEXT",
        help="only cells whose name holds this; may be given again; writes no data without --continue",
    )
    parser.add_argument(
        "--continue",
        dest="goes_on",
        action="store_true",
        help="measure only what the data of the section lack",
    )
    parser.add_argument(
        "--quick", action="store_true", help="2 short pairs, fewer cells: to see that it works"
    )
    parser.add_argument("--pairs", type=int, help="rounds over all cells")
    parser.add_argument("--seconds", type=int, help="one measurement of a rate")
    parser.add_argument("--cost-seconds", type=int, help="one measurement of CPU per query")
    parser.add_argument("--dump-mb", type=int, help="size of the dump that is loaded")
    parser.add_argument("--warehouses", type=int, help="of the tables of TPC-C")
    parser.add_argument("--ids", type=int, help="of the graph of LinkBench")
    parser.add_argument("--server", default="mariadb", help="catalogue name or path:DIR")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the data")
    parser.add_argument(
        "--write-docs", action="store_true", help="write docs/benchmarks.md from all data there"
    )
    return parser.parse_args()


def _section(name: str) -> str:
    if name not in SECTIONS:
        raise argparse.ArgumentTypeError(f"no section {name}: one of {', '.join(SECTIONS)}")
    return name


def _settings(options: argparse.Namespace) -> Settings:
    chosen = {
        name: getattr(options, name)
        for name in ("pairs", "seconds", "cost_seconds", "dump_mb", "warehouses", "ids")
        if getattr(options, name) is not None
    }
    return dataclasses.replace(QUICK if options.quick else Settings(), **chosen)


def _bench(
    section: Section,
    settings: Settings,
    servers: Servers,
    where: Origin,
    options: argparse.Namespace,
    console: Console,
) -> Outcome:
    console.rule(section.name)
    every = section.cells(settings, servers)
    cells = [one for one in every if not options.cells or any(text in one.name for text in options.cells)]
    rounds = section.rounds(settings.pairs)
    thorough = dataclasses.replace(settings, pairs=rounds)
    where = msgspec.structs.replace(where, peer=section.peer(), settings=thorough.said)
    path = options.results / f"{section.name}.json"
    before = begun(path, where) if options.goes_on else ()
    aside = [samples for samples in before if samples.cell not in {cell.name for cell in cells}]
    outcome = Outcome(section.name, section.title, section.note, where, [], section.missing())

    def keep(done: int, samples: Sequence[Samples]) -> None:
        nonlocal outcome
        samples = [*aside, *samples]
        outcome = dataclasses.replace(outcome, rows=section.rows(samples), missing=section.missing())
        if options.cells and not options.goes_on:  # a part must not replace the whole
            return
        lacking = [cell.name for cell in every if cell.name not in {one.cell for one in samples}]
        if lacking:
            said = f"{len(lacking)} of {len(every)} cells: {', '.join(lacking)}"
            outcome = dataclasses.replace(outcome, missing=[*section.missing(), said])
        save(outcome, samples, path, rounds=(0 if lacking else done, rounds))

    if cells:
        measure(cells, rounds, lambda line: console.print(f"  {line}", markup=False), keep, before)
    console.print(_table(outcome))
    for line in [line for row in outcome.rows for line in verdicts(row)] if section.bars else ():
        console.print(line, markup=False)
    for sentence in [*outcome.missing, *_notes(outcome)]:
        console.print(f"! {sentence}", markup=False)
    return outcome


def _notes(outcome: Outcome) -> list[str]:
    return list(dict.fromkeys(f"{row.cell}: {row.note}" for row in outcome.rows if row.note))


def _table(outcome: Outcome) -> Table:
    made = table_of(outcome, between="\n")
    table = Table(title=outcome.title, caption=outcome.note)
    for heading, is_figure in zip(made.headings, made.is_figure, strict=True):
        table.add_column(heading, justify="right" if is_figure else "left")
    for cells, state in made.rows:
        if state is not None:
            for at in (CHECKS, MARK):
                cells[at] = f"[{_STYLES[state]}]{cells[at]}[/]"
        table.add_row(*cells)
    return table


if __name__ == "__main__":
    exit_as(main)
