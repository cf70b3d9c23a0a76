"""Composes what interventions did to a difference, in the report's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.base.numbers import ends, number
from assay.results.verdict import LITTLE, higher_is_better

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.reporting.report.words import Words
    from assay.results.stats import ConfidenceInterval, ShareGone
    from assay.results.verdict import InterventionOutcome, ResourceEffect

_ALL = 0.9
"""Share from whose lower end on a difference is gone altogether."""


def outcome_sentence(words: Words, outcome: InterventionOutcome, settings: str = "") -> str:
    """Returns what an intervention did to the difference. `settings`: what it set, for one that has no phrase
    of its own.
    """
    when = words.get(f"cause.when.{outcome.intervention}", "") or words(
        "cause.when.setting", setting=settings
    )
    said = {"what": _what(words, outcome), "when": when}
    share, word = outcome.share, outcome.word
    if word == "not-there":
        return words.sentences([words("cause.not-there", **said), _more(words, outcome)])
    if word == "undecided":
        key = "cause.undecided" if share.low is not None else "cause.unmeasured"
        figures = _figures(share) if share.low is not None else {"blocks": share.n}
        return words.sentences([words(key, **said, **figures), _more(words, outcome)])
    if word == "goes":
        whole = share.low is not None and share.low >= _ALL
        sentence = words("cause.goes-all" if whole else "cause.goes", **said, **_figures(share))
        in_time = words("cause.in-time", **_figures(outcome.time_share))
        return words.sentences([sentence, in_time] if _are_apart(share, outcome.time_share) else [sentence])
    if word in ("diluted", "goes-in-time"):
        return words(f"cause.{word}", **said, **_figures(outcome.time_share))
    if word == "none" and not _is_within(share):
        return words("cause.none-in-time", **said, **_figures(outcome.time_share))
    return words(f"cause.{word}", **said, **_figures(share))


def outcomes_text(words: Words, outcomes: Sequence[InterventionOutcome], settings: dict[str, str]) -> str:
    """Returns a sentence for each intervention, those that take the most away first."""
    ranked = sorted(outcomes, key=lambda one: (not one.word.startswith("goes"), -(one.time_share.low or 0.0)))
    return "\n".join(outcome_sentence(words, one, settings.get(one.intervention, "")) for one in ranked)


def _what(words: Words, outcome: InterventionOutcome) -> str:
    worse = (outcome.share.difference < 0) == higher_is_better(outcome.measure)
    return words("cause.loss" if worse else "cause.gain")


def _more(words: Words, outcome: InterventionOutcome) -> str:
    if outcome.more_blocks is None:
        return words("cause.no-more")
    return words("cause.more", count=outcome.more_blocks)


def _is_within(share: ShareGone) -> bool:
    return share.low is not None and share.high is not None and max(-share.low, share.high) < LITTLE


def _are_apart(one: ShareGone, other: ShareGone) -> bool:
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return False
    return one.high < other.low or other.high < one.low


def _figures(share: ShareGone) -> dict[str, str]:
    of = (share.share, share.low, share.high)
    return {
        name: number(None if end is None else round(100 * end))
        for name, end in zip(("share", "low", "high"), of, strict=True)
    }


def resource_sentence(words: Words, effect: ResourceEffect) -> str:
    """Returns what a changed resource does to a treatment."""
    said = _in_percent(effect.ratio)
    elasticity = effect.elasticity
    if elasticity is None or effect.amount is None:
        return words("bottleneck.changed", how=words(f"bottleneck.how.{effect.resource}"), **said)
    return words(
        "bottleneck.scaled",
        percent=number(round(100 * effect.amount)),
        resource=words(f"bottleneck.resource.{effect.resource}"),
        **said,
        elasticity=number(elasticity.value, 2),
        elasticity_low=number(elasticity.low, 2),
        elasticity_high=number(elasticity.high, 2),
    )


def bottleneck_sentence(words: Words, treatment: str, measure: str, effect: ResourceEffect | None) -> str:
    """Returns which resource bounds a treatment most, or that none was found."""
    if effect is None:
        return words("bottleneck.nothing", treatment=treatment, measure=words.measure(measure))
    return words(
        "bottleneck.named",
        treatment=treatment,
        resource=words(f"bottleneck.resource.{effect.resource}"),
        sentence=resource_sentence(words, effect),
    )


def _in_percent(found: ConfidenceInterval) -> dict[str, str]:
    """Returns a ratio and its ends in percent, with the digits that the interval allows."""
    value, low, high = (None if one is None else 100 * one for one in (found.value, found.low, found.high))
    shown = ends(value, low, high, (100.0,)) or (number(value, 1), number(low, 1), number(high, 1))
    return dict(zip(("change", "low", "high"), shown, strict=True))
