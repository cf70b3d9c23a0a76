"""Writes the outcome of a gate as Markdown, for a comment or a summary: the sentence first, the checks that
did not pass, and the others folded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from assay.reporting.report import (
    Words,
    chance_sentence,
    check_name,
    figure_of,
    gate_summary,
    in_markdown,
    load_words,
    made_of,
    reach_text,
    why_unjudged,
)
from assay.results.verdict import Check, Gated

COMMENT_CHARACTERS = 60_000
"""Most characters of a comment: GitHub refuses one of more than 65,536."""
_FIRST = 3  # checks that are named in the text, so that nobody needs to open anything
_CELLS = 24  # of a bar
_MOST_REACHES = 12

Span = tuple[float, float]
"""The logarithms between which bars are drawn."""


def as_markdown(
    gated: Gated,
    language: str = "en",
    *,
    most: int = COMMENT_CHARACTERS,
    size: Callable[[str], int] = len,
) -> str:
    """Returns the outcome as Markdown of at most `most` by `size`; what does not fit is cut between rows of a
    table, and the number of rows left out is said.
    """
    words = load_words(language)
    head = [f"**{in_markdown(gate_summary(gated, words))}**", ""]
    for one in gated.remarkable[:_FIRST]:
        head.append(f"- {_line(one, gated, words)}")
        if said := made_of(one, words):
            head.append(f"  - {in_markdown(said)}")
    head += [""] if gated.remarkable else []
    tail = [*_notes(gated, words), ""]
    room = most - size("\n".join([*head, *tail])) - size(words("gate.rows-cut", count=10**9)) - 400
    table = [words("gate.column-check"), words("gate.column-figure"), words("column.blocks"), "", ""]
    span = _span(gated.checks)
    rows = [_row(one, gated, words, span) for one in gated.remarkable]
    shown, room = _fitting(table, rows, room, size, words)
    passed = [_row(one, gated, words, span) for one in gated.checks if one.outcome == "passed"]
    folded: list[str] = []
    if passed:
        folded, _ = _fitting(table, passed, room, size, words)
        title = words("gate.passed", count=len(passed))
        folded = ["<details>", f"<summary>{title}</summary>", "", *folded, "</details>", ""]
    return "\n".join([*head, *shown, *folded, *tail])


def _fitting(
    columns: Sequence[str], rows: Sequence[str], room: int, size: Callable[[str], int], words: Words
) -> tuple[list[str], int]:
    """Returns the lines of a table with as many rows as fit, and the room that is left."""
    if not rows:
        return [], room
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    room -= size("\n".join(lines)) + 2
    shown = 0
    for row in rows:
        if size(row) + 1 > room:
            break
        lines.append(row)
        room -= size(row) + 1
        shown += 1
    cut = [words("gate.rows-cut", count=len(rows) - shown), ""] if shown < len(rows) else []
    return [*lines, "", *cut], room


def _line(check: Check, gated: Gated, words: Words) -> str:
    word = words(f"word.{check.outcome}")
    name = in_markdown(check_name(check, gated, words))
    return words("gate.line", outcome=word, check=name, figure=figure_of(check, gated, words))


def _row(check: Check, gated: Gated, words: Words, span: Span | None) -> str:
    cells = [
        in_markdown(check_name(check, gated, words)),
        in_markdown(figure_of(check, gated, words)),
        str(check.blocks),
        f"`{drawn}`" if (drawn := bar(check, span)) else "",
        in_markdown(_why(check, gated, words)),
    ]
    return f"| {' | '.join(cells)} |"


def _why(check: Check, gated: Gated, words: Words) -> str:
    """Returns the outcome in a word, the figure before fresh blocks, and the reason of what is unjudged."""
    said = [words(f"word.{check.outcome}")]
    if check.rule.severity == "warn" and check.outcome != "passed":
        said.append(words("gate.only-warns"))
    if check.first is not None:
        said.append(words("gate.first", figure=figure_of(check.first, gated, words)))
    if check.outcome == "unjudged":
        said.append(why_unjudged(check, words))
    if check.outcome == "undecided" and check.part is not None:
        if check.part.too_many_blocks:
            said.append(words("gate.too-many"))
        elif check.part.more_blocks is not None:
            said.append(words("verdict.more-blocks", blocks=check.part.more_blocks))
    return words.clauses(said)


def _notes(gated: Gated, words: Words) -> list[str]:
    reaches = dict.fromkeys(
        words("gate.reach", check=check_name(one, gated, words), reach=reach_text(one.reach, words))
        for one in gated.checks[:_MOST_REACHES]
    )
    notes = [chance_sentence(gated, words), *reaches]
    if gated.baseline is not None:
        notes.append(words("gate.baseline", date=gated.baseline))
    if gated.fresh is not None:
        notes.append(words("gate.fresh", blocks=gated.fresh.blocks))
    return [f"<sub>{'<br>'.join(map(in_markdown, notes))}</sub>"]


def _span(checks: Iterable[Check]) -> Span | None:
    """Returns the logarithms between which the bars of all ratios are drawn, 1 among them; None without a
    ratio.
    """
    ends = [math.log(end) for one in checks for end in _ends(one)]
    return (min(0.0, *ends), max(0.0, *ends)) if ends else None


def _ends(check: Check) -> tuple[float, ...]:
    found = None if check.part is None else check.part.figure
    if found is None or found.kind != "ratio" or found.low is None or found.high is None:
        return ()
    ends = (found.low, found.value, found.high)
    return ends if all(0 < end < math.inf for end in ends) else ()


def bar(check: Check, span: Span | None) -> str:
    """Returns the interval of a ratio as text, `   ├──●──┤  │`, on a logarithmic scale; `│` stands at 1.

    Empty for a figure that is no ratio.
    """
    ends = _ends(check)
    if not ends or span is None or span[1] <= span[0]:
        return ""

    def cell(log: float) -> int:
        return round((log - span[0]) / (span[1] - span[0]) * (_CELLS - 1))

    low, middle, high = (cell(math.log(end)) for end in ends)
    drawn = ["\u00a0"] * _CELLS  # a blank that Markdown does not fold
    drawn[cell(0.0)] = "│"
    drawn[low : high + 1] = "─" * (high - low + 1)
    drawn[low], drawn[high], drawn[middle] = "├", "┤", "●"
    return "".join(drawn)
