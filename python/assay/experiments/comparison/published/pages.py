"""Turns the tally into tables for a page, in any language of the reports."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import number
from assay.experiments.comparison.published.tally import OUTCOMES, ClaimState, Tally
from assay.reporting.report import Column, Table, Word, Words, named_columns
from assay.results.stats import expected_wrong_verdicts


def tally_tables(tally: Tally, words: Words) -> Iterator[Table]:
    """Yields the tables: counts by report and kind, claims that cannot be tested with the reason, every claim
    with its outcome.
    """
    yield _counts(tally, words)
    here = [state for state in tally.states if state.outcome == "not-testable"]
    yield Table(
        section="",
        name="reasons",
        title=words("published.reasons"),
        columns=named_columns(words, "published", claim="text", says="prose", reason="prose"),
        rows=tuple(
            (state.claim.id, state.claim.hypothesis, words.title(state.reason or {}, "")) for state in here
        ),
        empty=words("published.none"),
    )
    yield Table(
        section="",
        name="claims",
        title=words("published.claims"),
        columns=(
            *named_columns(
                words, "published", claim="text", kind="text", says="prose", line="number", outcome="word"
            ),
            Column("stands-in", words("published.stands-in"), kind="text"),
        ),
        rows=tuple(
            (
                state.claim.id,
                words(f"published.kind-{state.claim.kind}"),
                state.claim.hypothesis,
                str(state.claim.source_line),
                Word(state.outcome),
                _stand_ins(state),
            )
            for state in tally.states
        ),
    )


def _counts(tally: Tally, words: Words) -> Table:
    everything = words("published.all")
    rows = [(report, words(f"published.kind-{kind}"), counts) for report, kind, counts in tally.rows]
    reports = list(dict.fromkeys(state.claim.report for state in tally.states))
    rows += [(report, everything, tally.counts(report)) for report in reports]
    if len(reports) > 1:
        rows.append((everything, everything, tally.counts()))
    refuted_here = words("published.refuted-here") if tally.counts()["refuted-here"] else ""
    return Table(
        section="",
        name="tally",
        title=words("published.tally"),
        columns=(
            *named_columns(words, "published", report="text", kind="text"),
            *(Column(one, words(f"word.{one}")) for one in OUTCOMES),
            Column("all", everything),
        ),
        rows=tuple(
            (report, kind, *(counts[one] for one in OUTCOMES), sum(counts.values()))
            for report, kind, counts in rows
        ),
        note=words.sentences([one for one in (refuted_here, chance(tally, words)) if one]),
    )


def chance(tally: Tally, words: Words) -> str:
    """Returns how many verdicts chance alone may make wrong; empty below two that rest on intervals."""
    found = [one.confidence for state in tally.states for one in state.verdicts if one.confidence is not None]
    if len(found) < 2:
        return ""
    return words("published.chance", count=len(found), wrong=number(expected_wrong_verdicts(found), 1))


def _stand_ins(state: ClaimState) -> str:
    return "; ".join(dict.fromkeys(one.assumes for one in state.verdicts if one.assumes))
