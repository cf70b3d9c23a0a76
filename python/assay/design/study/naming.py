"""States what a study names before it is measured: its claims, and the terms on which they are judged."""

from __future__ import annotations

from assay.design.study.model.study import Study


def named_claims(study: Study) -> list[str]:
    """Returns the claims of a study, each with its own margin where it has one."""
    return [
        one.text if one.margin is None else f"{one.text} (margin {one.margin:g})" for one in study.hypotheses
    ]


def verdict_terms(study: Study) -> dict[str, str | float]:
    """Returns everything of [verdict] that is set."""
    return study.verdict.model_dump(mode="json", exclude_none=True)
