"""Writes docs/benchmarks.md from the data of the last bench: `python -m benchmarks.document`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.outcome import Outcome, read
from benchmarks.sections import SECTIONS
from benchmarks.spread import State
from benchmarks.table import CHECKS, MARK, table_of
from benchmarks.wording import MARKS

RESULTS = Path("results/bench")
PAGE = Path("docs/benchmarks.md")

_HEAD = """# Benchmarks: the engine beside sysbench

Written by `make bench-docs` from the data of `make bench`; not by hand.

Every line compares contestants on the same server in the same run: pairs, one measurement of each after
the other in alternating order, round by round over all cells. Figures are medians over the pairs; a
ratio is the median of the pairs' ratios, with the interval that holds the true one in 93 of 100 cases
(of five pairs: their range), unless the section says otherwise. Ratios are what counts: absolute figures
belong to the machine and the hour. "Canary" is slowest over fastest of a fixed loop timed beside each
measurement: where it is far from 1, the machine changed its speed meanwhile, and narrow differences mean
nothing. "Others" is the share of the processors that was busy in the pauses between measurements: a
generator with more threads takes more of a machine that others want too, so that rates compare only
where this is near 0.

Marks: `ok` reaches its target, `~` misses it by less than the pairs disagree, `?` has an interval too wide to
tell, `SHORT` falls short.
"""


def page(outcomes: Sequence[Outcome], before: str = "") -> str:
    """Returns the whole page. Sections that were not measured again keep their chapters of the page
    `before`.
    """
    measured = {SECTIONS[outcome.section].title: _section(outcome) for outcome in outcomes}
    known = chapters(before) | measured
    found = [known[section.title].strip() for section in SECTIONS.values() if section.title in known]
    lines = [_cells(line) for chapter in found for line in chapter.splitlines() if line.startswith("| ")]
    asked = [cells for cells in lines if cells[MARK] in MARKS.values()]
    short = [cells for cells in asked if cells[MARK] == MARKS[State.SHORT]]
    open_ = [cells for cells in asked if cells[MARK] == MARKS[State.INCONCLUSIVE]]
    fall = f"{len(short)} fall short" + (f" and {len(open_)} are inconclusive" if open_ else "")
    parts = [_HEAD.strip(), f"Of {len(asked)} lines with a target, {fall}."]
    if short:
        parts.append("\n".join(f"- {cells[0]}: {cells[1]}: {cells[CHECKS]}" for cells in short))
    return "\n\n".join([*parts, *found]) + "\n"


def chapters(text: str) -> dict[str, str]:
    """Returns the chapters of a page, each with its heading, by title."""
    found = [f"## {part}" for part in text.split("\n## ")[1:]]
    return {chapter.splitlines()[0].removeprefix("## "): chapter for chapter in found}


def _cells(line: str) -> list[str]:
    return line.removeprefix("| ").removesuffix(" |").split(" | ")


def _section(outcome: Outcome) -> str:
    table = table_of(outcome)
    lines = [
        _line(table.headings),
        _line(["---:" if is_figure else "---" for is_figure in table.is_figure]),
        *(_line(cells) for cells, _ in table.rows),
    ]
    notes = [f"- {row.cell}, {row.figure}: {row.note}" for row in outcome.rows if row.note]
    missing = [f"- not measured: {sentence}" for sentence in outcome.missing]
    where = outcome.origin
    facts = (
        f"{where.at}, commit {where.commit}; {where.machine}; {where.server}; {where.peer}; {where.settings}."
    )
    blocks = [
        f"## {outcome.title}",
        outcome.note,
        "\n".join(lines),
        "\n".join(notes + missing),
        f"Measured {facts}",
    ]
    return "\n\n".join(block for block in blocks if block)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


def write_page(results: Path = RESULTS, path: Path = PAGE) -> Path:
    """Writes the page from every section that has been measured; the others keep their chapters."""
    outcomes = [read(results / f"{name}.json") for name in SECTIONS if (results / f"{name}.json").is_file()]
    path.write_text(page(outcomes, path.read_text() if path.is_file() else ""))
    return path


if __name__ == "__main__":
    if not any(RESULTS.glob("*.json")):
        sys.exit(f"error: nothing in {RESULTS}\nhint: make bench measures it")
    sys.stdout.write(f"written: {write_page()}\n")
