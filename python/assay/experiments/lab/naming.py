"""Says of each verdict whether its claim was named before the first block, and what was dropped since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from assay.base.errors import AssayError
from assay.design.folder import Looks, ResultsFolder, StudyEntry, live, read_entry, read_manifest
from assay.design.study import Study, named_claims, verdict_terms
from assay.results.verdict import HypothesisVerdict, NamedTerms, Results, doubt_of_removed_runs, with_notes

Terms = Mapping[str, str | float]
_OF_PLANS = ("noise",)
"""What [verdict] says for `assay plan` alone, and no verdict depends on."""


def with_naming(
    folder: ResultsFolder, study: Study, results: Results, looks: Looks | None, blocks: int
) -> Results:
    """Returns the results with what is known of the naming of their claims. `looks` are those taken before
    this one, and `blocks` is the number of complete blocks.
    """
    try:
        entry = read_entry(folder)
    except (AssayError, OSError):
        return results
    if not entry.named:
        return results
    moments = list(_moments(entry, looks))
    claims, terms = named_claims(study), verdict_terms(study)
    removed = removed_runs(folder)
    verdicts = (
        _marked(verdict, claim, terms, moments, blocks)
        for claim, verdict in zip(claims, results.hypotheses, strict=True)
    )
    begun = max(number for number, one in enumerate(entry.named) if one.blocks == entry.named[0].blocks)
    known = dict.fromkeys(claim for _, named, _ in moments[begun:] for claim in named)
    results = with_notes(results, [doubt_of_removed_runs(removed)] if removed else [], first=True)
    return replace(
        results,
        hypotheses=tuple(verdicts),
        named=NamedTerms(
            dropped=tuple(claim for claim in known if claim not in claims),
            changed=tuple(_changes(entry.named[begun].terms, terms)),
            removed=removed,
        ),
    )


def removed_runs(folder: ResultsFolder) -> int:
    """Returns how many runs had ended and are in the folder no more.

    The course of the study has a line for each that ended, the very last and those of other hosts too, but
    may be missing itself. Ranks stay in the runs, and show those that ended before a later one of this host.
    """
    return max(_gone_since_they_ended(folder), _gaps_of_ranks(folder))


def _gone_since_they_ended(folder: ResultsFolder) -> int:
    try:
        ended = Counter(line.run for line in live.read_live(folder.live) if isinstance(line, live.RunOver))
    except OSError:
        return 0
    there = Counter(run.path.name for run in folder.finished_runs())
    there += Counter(folder.run_of_attempt(run) for _, run in folder.attempts())
    return (ended - there).total()


def _gaps_of_ranks(folder: ResultsFolder) -> int:
    found = []
    for run in [*folder.finished_runs(), *(run for _, run in folder.attempts())]:
        try:
            manifest = read_manifest(run)
        except (AssayError, OSError):
            continue
        if manifest.fleet_host is None:
            found.append(manifest.rank)
    ranks = [rank for rank in found if rank is not None]
    return max(max(ranks) + 1 - len(found), 0) if ranks else 0


_Moment = tuple[int, tuple[str, ...], Terms]


def _moments(entry: StudyEntry, looks: Looks | None) -> Iterator[_Moment]:
    """Yields what was named, and the number of blocks by then."""
    yield from ((one.blocks, tuple(one.claims), one.terms) for one in entry.named)
    yield from ((one.blocks, one.claims, one.terms) for one in (looks.seen if looks else ()) if one.terms)


def _marked(
    verdict: HypothesisVerdict, claim: str, terms: Terms, moments: list[_Moment], blocks: int
) -> HypothesisVerdict:
    at = (number for number, claims, then in moments if claim in claims and not list(_changes(then, terms)))
    first = min(at, default=blocks)
    if first:
        return replace(verdict, named="after", named_after=first)
    return replace(verdict, named="before")


def _changes(then: Terms, now: Terms) -> Iterator[tuple[str, str, str]]:
    for key in sorted({*then, *now} - {*_OF_PLANS}):
        if then.get(key) != now.get(key):
            yield key, str(then.get(key, "-")), str(now.get(key, "-"))
