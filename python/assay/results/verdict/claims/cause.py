"""Judges claims about a bottleneck, by evidence at the load of highest throughput and by interventions.

Evidence is not proof: a busy processor beside a slow lock is busy too. A resource is *the* bottleneck where
the study gives more of it and gets more throughput, and where no other resource is used up. Evidence alone
can refute: a resource that is not used up limits nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from assay.design.study.claims import CauseClaim, position
from assay.results.stats import Region, around
from assay.results.verdict import shapes
from assay.results.verdict.answers import Figure, Nearest
from assay.results.verdict.claims.finding import Finding, JudgingContext
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import All, Edges, Not
from assay.results.verdict.observations import Blocks
from assay.results.verdict.phrases import Amount, Phrase, given, percent, phrase
from assay.results.verdict.question import Question
from assay.results.verdict.treatments import Treatment

THROUGHPUT = ("qps", "iops")
BUSY_GENERATOR = frozenset({"generator-busy", "generator-share", "near-ceiling", "processors-busy"})


@dataclass(frozen=True)
class Evidence:
    """The evidence for one resource: a measure in per cent, the value from which it counts as used up, and
    the factors that give more of it.
    """

    used_up: float
    of: Callable[[JudgingContext, Place], Blocks]
    factors: tuple[str, ...] = ()

    def edges(self, name: str, blocks: Blocks, *, used_up: bool) -> Edges:
        """Returns the statement that the resource is used up, or that it is not."""
        values = np.array([blocks[block] for block in sorted(blocks)])
        question = Question(">=" if used_up else "<", Region(self.used_up, self.used_up))
        figure = Figure("level", float(values.mean()), unit="%")
        return Edges(question.of_levels(values), Nearest(name, figure))


def findings(claim: CauseClaim, judging: JudgingContext) -> Iterator[Finding]:
    """Yields one finding for each treatment: the evidence for the claimed resource, beside that for all
    others.
    """
    for treatment in judging.treatments:
        if treatment.matches(claim.selector):
            place = _most(treatment, claim, judging)
            yield _weighed(claim, treatment, place, judging)


def _weighed(claim: CauseClaim, treatment: Treatment, place: Place, judging: JudgingContext) -> Finding:
    found = {name: of for name, one in EVIDENCE.items() if (of := one.of(judging, place))}
    if claim.resource not in found:
        return Finding((place,), (phrase("cause-not-measured", resource=claim.resource, at=place),))
    asked, blocks = EVIDENCE[claim.resource], found[claim.resource]
    used_up = asked.edges(claim.resource, blocks, used_up=True)
    more = tuple(_more_of(asked.factors, treatment, place, judging))
    statement = All((used_up, *more))
    table = tuple(
        phrase(f"evidence-{name}", share=Amount(float(np.mean(list(of.values()))), "%"))
        for name, of in found.items()
    )
    said = phrase(
        "cause",
        at=place,
        table=table,
        resource=claim.resource,
        limit=given(asked.used_up, "%"),
        blocks=len(blocks),
        percent=percent(judging.confidence),
    )
    figure = Figure("level", float(np.mean(list(blocks.values()))), unit="%")
    if statement.decide(judging.confidence) == "supported":
        beside = [
            name
            for name, of in found.items()
            if name != claim.resource
            and EVIDENCE[name].edges(name, of, used_up=False).decide(judging.confidence) != "supported"
        ]
        if reason := _unproven(asked, beside, tried=bool(more)):
            return Finding((place,), (said, reason), len(blocks), figure, plain="undecided")
    return Finding(
        (place,), (said,), len(blocks), figure, Not(statement) if claim.relation == "!=" else statement
    )


def _unproven(asked: Evidence, beside: list[str], *, tried: bool) -> Phrase | None:
    """Returns why a used-up resource is not certainly the bottleneck; None where it is."""
    if beside:
        return phrase("cause-beside", all_of=tuple(beside))
    if tried:
        return None
    if not asked.factors:
        return phrase("cause-unprovable")
    return phrase("cause-untried", factors=asked.factors)


def _most(treatment: Treatment, claim: CauseClaim, judging: JudgingContext) -> Place:
    """Returns the load at which the treatment reached its highest throughput."""
    loads = judging.loads if claim.selector.load is None else (claim.selector.load,)
    means: Mapping[float, float] = {
        load: float(np.mean(list(blocks.values())))
        for load in loads
        if (blocks := _throughput(judging, judging.at(treatment, load)))
    }
    return judging.at(treatment, max(means, key=lambda load: means[load], default=loads[-1]))


def _more_of(
    factors: tuple[str, ...], treatment: Treatment, place: Place, judging: JudgingContext
) -> Iterator[Edges]:
    """Yields a statement for each intervention: throughput grows from the least of a resource to the most,
    all else equal.
    """
    greater = Question(">", around(1.0, judging.margin), of_treatments=True)
    for factor in factors:
        alike = [
            one
            for one in judging.treatments
            if factor in one.levels and {**one.levels, factor: ""} == {**treatment.levels, factor: ""}
        ]
        alike.sort(key=lambda one: _amount(factor, one.levels[factor]))
        if len(alike) > 1:
            ends = (alike[0], alike[-1])
            along = shapes.row_of(
                [one.name for one in ends],
                [_throughput(judging, judging.at(one, place.load)) for one in ends],
                judging.confidence,
            )
            if len(along.values):
                yield along.pair(1, 0, greater)


def _amount(factor: str, level: str) -> float:
    """Returns the amount that a level gives: a number or a size; for a list such as 0-3,8 the number of
    processors.
    """
    if factor != "server.cpus":
        return position(level) or 0.0
    total = 0.0
    for piece in level.split(","):
        low, _, high = piece.partition("-")
        begin, end = position(low), position(high or low)
        total += 0 if begin is None or end is None else end - begin + 1
    return total


def _throughput(judging: JudgingContext, place: Place) -> Blocks:
    for measure in THROUGHPUT:
        if blocks := judging.seen.blocks(measure, place):
            return blocks
    return {}


def _measured(*measures: str) -> Callable[[JudgingContext, Place], Blocks]:
    """Returns a function that reads the first of the measures that the study has at a place."""
    return lambda judging, place: next(
        (blocks for measure in measures if (blocks := judging.seen.blocks(measure, place))), {}
    )


def _counted(
    measure: str, share: Callable[[float, Place], float]
) -> Callable[[JudgingContext, Place], Blocks]:
    """Returns a function that reads a counter in every block with load; a counter missing from the store
    never moved and is zero.
    """

    def of(judging: JudgingContext, place: Place) -> Blocks:
        moved = judging.seen.blocks(measure, place)
        return {block: share(moved.get(block, 0.0), place) for block in _throughput(judging, place)}

    return of


def _generator(judging: JudgingContext, place: Place) -> Blocks:
    assert place.load is not None
    warned = judging.seen.warned.get((place.treatment, place.load), {})
    return {
        block: 100.0 * bool(BUSY_GENERATOR & set(warned.get(block, ())))
        for block in _throughput(judging, place)
    }


EVIDENCE: Mapping[str, Evidence] = {
    "cpu": Evidence(
        90.0,
        _measured("server_cpus_busy_pct", "cpu_busy_pct"),
        ("server.cpus",),
    ),
    "disk": Evidence(90.0, _measured("disk_util_pct"), ("volume.devices",)),
    "lock": Evidence(
        50.0,
        _counted("status.Innodb_row_lock_time per s", lambda ms, place: ms / 10 / (place.load or 1.0)),
        ("workload.tables", "workload.table_size"),
    ),
    "log": Evidence(
        1.0,
        _counted("status.Innodb_log_waits per transaction", lambda waits, _: 100 * waits),
        ("server.variables.innodb_log_buffer_size",),
    ),
    "client": Evidence(50.0, _generator),
}
"""The evidence that each resource is used up; for the client it includes doubts that find it too slow."""
