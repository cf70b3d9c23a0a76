"""English sentences with the figures of a verdict; the report has the figures for other languages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from assay.base.numbers import number as figure
from assay.base.wording import counted
from assay.design.study import parted
from assay.results.stats import ConfidenceInterval, PairedRatio
from assay.results.verdict.answers import Figure, Nearest, NotBeyond, RunsAgree, in_percent
from assay.results.verdict.compared import Place
from assay.results.verdict.decision import Outcome
from assay.results.verdict.question import Question


def bound(runs: RunsAgree) -> str:
    """Returns the words "at 95 % confidence at most 39 % of runs are otherwise."."""
    return f"at {runs.confidence * 100:g} % confidence at most {runs.most_percent} % of runs are otherwise."


def not_measured(measures: Sequence[str], one: Place, other: Place | None = None) -> str:
    """Returns the sentence for a claim whose measures are missing, at one place or in every block of two."""
    measure = " or ".join(dict.fromkeys(measures))
    if other is None:
        return f"{measure} of {one} was not measured."
    left, right = both(one, other)
    return f"{measure} of {left} and {right} was not measured in any common block."


def uncounted_kinds(measures: Sequence[str], known: Collection[str]) -> str:
    """Returns the sentence about measures of a kind (`new_order.p95_ms`) that no run counted apart; empty
    where each was. `known` are the measures that runs have.
    """
    counted_apart = {kind for one in known if (kind := parted(one)[0]) is not None}
    lacking = [one for one in dict.fromkeys(measures) if parted(one)[0] not in {None, *counted_apart}]
    if not lacking:
        return ""
    kind, measure = parted(lacking[0])
    if named := ", ".join(sorted(counted_apart)):
        return f' No run counts "{kind}" apart; kinds that are counted: {named}.'
    return f' The workload counts no kind apart, so there is no "{kind}"; {measure} is that of all of them.'


def because(
    outcome: Outcome, question: Question | None, of: Nearest | None = None, found: Figure | None = None
) -> str:
    """Returns why the figures give this outcome; without a question, for several things asserted together."""
    if question is None:
        return f"; {_ALL_OF_IT[outcome]}{_at(of)}."
    edges = [edge(limit) for limit, _ in question.edges]
    if question.relation == "~":
        region = f"{edges[0]} to {edges[1]}"
        match outcome:
            case "supported":
                return f"; the whole interval lies within {region}."
            case "refuted":
                return f"; the whole interval lies outside {region}."
            case "undecided":
                return f"; the interval reaches across an edge of {region}.{_direction(question, found)}"
    side, opposite = ("above", "below") if question.relation.startswith(">") else ("below", "above")
    match outcome:
        case "supported":
            return f"; the whole interval lies {side} {edges[0]}."
        case "refuted":
            return f"; none of the interval lies {side} {edges[0]}."
        case "undecided":
            return (
                f"; the interval reaches from {opposite} to {side} {edges[0]}.{_direction(question, found)}"
            )


_ALL_OF_IT: Mapping[Outcome, str] = {
    "supported": "every interval lies on the claim's side",
    "refuted": "an interval lies wholly on the other side",
    "undecided": "an interval reaches across",
}


def meaning(sentence: str, says: NotBeyond | None) -> str:
    """Returns the reason of an outcome with what it says of both sides: "…: not less by more than 2 %."."""
    return f"{sentence.removesuffix('.')}{_SAYS[says.word].format(says.percent)}." if says else sentence


_SAYS = {"not-more": ": not more by more than {} %", "not-less": ": not less by more than {} %"}


def of_a_set(outcome: Outcome, wanted: str) -> str:
    """Returns whether the answers that are not excluded are all wanted, none wanted, or partly wanted."""
    how = {"supported": "all of it is", "refuted": "none of it is", "undecided": "only a part of it is"}
    return f"; {how[outcome]} among {wanted}."


def of_a_share(outcome: Outcome, percent: float) -> str:
    """Returns whether the interval of a share of all runs lies above the claim's, below it or across."""
    how = {
        "supported": "the whole interval lies at or above",
        "refuted": "the whole interval lies below",
        "undecided": "the interval reaches across",
    }
    return f"; {how[outcome]} {edge(percent)} %."


def _at(of: Nearest | None) -> str:
    """Returns the words ", that of 32 / 16 threads: 1.01 (0.98 to 1.04)" about the nearest contrast."""
    if of is None:
        return ""
    ends = (
        ""
        if of.figure.low is None or of.figure.high is None
        else (f" ({figure(of.figure.low)} to {figure(of.figure.high)})")
    )
    return f", nearest {of.name}: {figure(of.figure.value)}{ends}{unit(of.figure.unit)}"


def _direction(question: Question, found: Figure | None) -> str:
    """Returns the words about a difference whose direction is certain (more, less) and whose size is not."""
    if not question.of_treatments or found is None or found.low is None or found.high is None:
        return ""
    if found.low > 1:
        return " It is more, by a margin that is undecided."
    return " It is less, by a margin that is undecided." if found.high < 1 else ""


def one_of_many(question: Question | None, chances: int, of: Nearest | None = None) -> str:
    """Returns the sentence for a part that alone would be refuted, but that may lie there by chance among so
    many.
    """
    alone = because("refuted", question, of).removesuffix(".")
    return (
        f"{alone}, but among {chances} points one may by chance: it is not sure enough to refute the claim."
    )


def too_few(blocks: int, fewest: int) -> str:
    """Returns the sentence for an estimate with too few blocks for a verdict."""
    return f"; an estimate only: a verdict needs at least {fewest} blocks."


def dependent(kinds: Sequence[str]) -> str:
    """Returns why a study that runs until it is decided gives no outcome, although the interval would."""
    return f"; its blocks do not stand for each other ({', '.join(kinds)}), so no look at them decides it."


WARY = " While blocks go on until there is a verdict, the interval is judged wider than it is shown."
"""Said of an undecided part of a study that runs until it is decided."""


def missed(blocks: int, most: float, confidence: float) -> str:
    """Returns the sentence about a kind of start that none of so many blocks had."""
    return (
        f" {counted(blocks, 'block')} may have missed a kind of start that is up to {in_percent(most)} %"
        f" of all starts (at {confidence * 100:g} % confidence)."
    )


def withstands(blocks: int, correlation: float) -> str:
    """Returns the sentence about an outcome that blocks undo if neighbouring ones are alike."""
    upto = f"of at most {correlation:g}" if correlation else "of 0"
    return (
        f" It holds with a correlation of neighbouring blocks {upto}; {counted(blocks, 'block')} cannot rule"
        " out a larger one."
    )


def by_load(loads: Mapping[int, int]) -> str:
    """Returns the sentence about values that are means of loads of the data; empty where they are blocks."""
    if not loads:
        return ""
    return (
        f" Each value is the mean of one of {len(set(loads.values()))} loads of the data, of"
        f" {len(loads)} blocks in all."
    )


def left_out(count: int, kinds: Sequence[str]) -> str:
    """Returns the sentence about values left out because of an *invalid* doubt."""
    what = "value is" if count == 1 else "values are"
    return f" {count} {what} left out, being invalid: {', '.join(kinds)}."


def barred(kinds: Sequence[str]) -> str:
    """Returns the sentence for a study that as a whole has an *invalid* doubt."""
    return f" Nothing is judged: the study is invalid ({', '.join(kinds)})."


def both(one: Place, other: Place) -> tuple[str, str]:
    """Returns the names of two places, with a common load or treatment stated once."""
    if one.load == other.load:
        return one.treatment, str(other)
    return str(one), other.at if one.treatment == other.treatment else str(other)


def edge(value: float) -> str:
    """Returns a claim's own figure as it was written, with commas between thousands; an edge of a region as a
    figure.
    """
    if float(value).is_integer():
        return f"{value:,.0f}"
    written = f"{value:g}"
    return written if len(written) <= 6 and "e" not in written else figure(value)


def spread(found: PairedRatio | ConfidenceInterval, confidence: float) -> str:
    if found.low is None or found.high is None:
        return f" ({counted(found.n, 'block')})"
    percent = f"{confidence * 100:g} %"
    return f" ({percent} interval {figure(found.low)} to {figure(found.high)}, {counted(found.n, 'block')})"


def ends(found: Figure, confidence: float, blocks: int) -> str:
    """Returns the bounds of a figure's interval in words, as `spread` writes them."""
    return spread(ConfidenceInterval(found.value, found.low, found.high, blocks), confidence)


def unit(name: str) -> str:
    """Returns the unit to append to a figure; empty without one."""
    return f" {name}" if name else ""
