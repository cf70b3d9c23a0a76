"""What holds throughput where it is: a table of evidence at the load of most throughput.

Evidence is not proof: a busy processor beside a slow lock is busy too. Where the study varies how many
processors the server has, more of them must also bring more throughput.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from assay.stats import Region, around
from assay.study import Term
from assay.study.claims import Axis, CauseClaim, position
from assay.verdict import wording
from assay.verdict.claims.bindings import bindings
from assay.verdict.claims.finding import Finding, Judging
from assay.verdict.claims.relation import row
from assay.verdict.decision import All, Edges, Not, Statement
from assay.verdict.observations import Blocks
from assay.verdict.question import Question
from assay.verdict.results import Figure, Nearest, Place
from assay.verdict.treatments import Treatment
from assay.wording import counted

THROUGHPUT = ("qps", "iops")
BUSY_GENERATOR = frozenset({"generator-busy", "generator-share", "near-ceiling", "processors-busy"})
_PROCESSORS = "server.cpus"


@dataclass(frozen=True)
class Evidence:
    """One resource: what tells that it is used up, in per cent, and from where on."""

    says: str
    used_up: float
    of: Callable[[Judging, Place], Blocks]


def findings(claim: CauseClaim, judging: Judging) -> Iterator[Finding]:
    """One for each treatment: its evidence for the resource, beside that for all others."""
    for treatment in judging.treatments:
        if treatment.matches(claim.selector):
            place = _most(treatment, claim, judging)
            yield _weighed(claim, treatment, place, judging)


def _weighed(claim: CauseClaim, treatment: Treatment, place: Place, judging: Judging) -> Finding:
    found = {name: one.of(judging, place) for name, one in EVIDENCE.items()}
    asked, blocks = EVIDENCE[claim.resource], found[claim.resource]
    if not blocks:
        return Finding((place,), f"what shows {claim.resource} at {place} was not measured.")
    values = np.array([blocks[block] for block in sorted(blocks)])
    mean = float(values.mean())
    question = Question(">=", Region(asked.used_up, asked.used_up))
    figure = Figure("level", mean, unit="%")
    edges = Edges(question.of_levels(values), Nearest(claim.resource, figure))
    more = _more_processors(treatment, judging) if claim.resource == "cpu" else ()
    statement: Statement = All((edges, *more))
    table = ", ".join(
        f"{EVIDENCE[name].says} {wording.figure(float(np.mean(list(of.values()))))} %"
        for name, of in found.items()
        if of
    )
    proof = "more processors tried besides" if more else "evidence without an intervention"
    return Finding(
        (place,),
        f"at the most throughput of {place}: {table} ({proof}); {claim.resource} counts as used up from "
        f"{asked.used_up:g} % ({counted(values.size, 'block')}, {100 * judging.confidence:g} % confidence)",
        values.size,
        figure,
        Not(statement) if claim.relation == "!=" else statement,
    )


def _most(treatment: Treatment, claim: CauseClaim, judging: Judging) -> Place:
    """The load at which the treatment reached most."""
    loads = judging.loads if claim.selector.load is None else (claim.selector.load,)
    means: Mapping[float, float] = {
        load: float(np.mean(list(blocks.values())))
        for load in loads
        if (blocks := _throughput(judging, judging.at(treatment, load)))
    }
    return judging.at(treatment, max(means, key=lambda load: means[load], default=loads[-1]))


def _more_processors(treatment: Treatment, judging: Judging) -> tuple[Edges, ...]:
    """The intervention: from the fewest processors to the most, throughput must grow."""
    if _PROCESSORS not in treatment.levels:
        return ()
    alike = [
        one
        for one in judging.treatments
        if {**one.levels, _PROCESSORS: ""} == {**treatment.levels, _PROCESSORS: ""}
    ]
    if len(alike) < 2:
        return ()
    found = []
    there = Judging(
        judging.seen, alike, judging.loads[-1:], judging.load_kind, judging.confidence, judging.margin
    )
    for cells in bindings((Term(THROUGHPUT[0]),), (Axis(_PROCESSORS),), there):
        cells = tuple(sorted(cells, key=lambda cell: _count(cell.name)))
        along = row(Term(THROUGHPUT[0]), cells, there)
        if len(along.values):
            greater = Question(">", around(1.0, judging.margin), of_treatments=True)
            found.append(along.pair(len(cells) - 1, 0, greater))
    return tuple(found)


def _count(cpus: str) -> float:
    """How many processors a list such as 0-3,8 has."""
    total = 0.0
    for piece in cpus.split(","):
        low, _, high = piece.partition("-")
        begin, end = position(low), position(high or low)
        total += 0 if begin is None or end is None else end - begin + 1
    return total


def _throughput(judging: Judging, place: Place) -> Blocks:
    for measure in THROUGHPUT:
        if blocks := judging.seen.blocks(measure, place):
            return blocks
    return {}


def _measured(measure: str) -> Callable[[Judging, Place], Blocks]:
    return lambda judging, place: judging.seen.blocks(measure, place)


def _counted(measure: str, share: Callable[[float, Place], float]) -> Callable[[Judging, Place], Blocks]:
    """A counter that never moved is not in the store: it is zero wherever there was load."""

    def of(judging: Judging, place: Place) -> Blocks:
        moved = judging.seen.blocks(measure, place)
        return {block: share(moved.get(block, 0.0), place) for block in _throughput(judging, place)}

    return of


def _generator(judging: Judging, place: Place) -> Blocks:
    assert place.load is not None
    warned = judging.seen.warned.get((place.treatment, place.load), {})
    return {
        block: 100.0 * bool(BUSY_GENERATOR & set(warned.get(block, ())))
        for block in _throughput(judging, place)
    }


EVIDENCE: Mapping[str, Evidence] = {
    "cpu": Evidence("processors busy", 90.0, _measured("cpu_busy_pct")),
    "disk": Evidence("disk busy", 90.0, _measured("disk_util_pct")),
    "lock": Evidence(
        "connections waiting for row locks",
        50.0,
        _counted("status.Innodb_row_lock_time per s", lambda ms, place: ms / 10 / (place.load or 1.0)),
    ),
    "log": Evidence(
        "transactions waiting for the log",
        1.0,
        _counted("status.Innodb_log_waits per transaction", lambda waits, _: 100 * waits),
    ),
    "client": Evidence("runs with a busy generator", 50.0, _generator),
}
"""What tells that each resource is used up; of the client the doubts that find it too slow."""
