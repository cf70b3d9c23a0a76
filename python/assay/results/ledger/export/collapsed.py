"""The collapsed form of stacks: a line each, `root;caller;leaf NUMBER`, as flame graph programs read it."""

from __future__ import annotations

from assay.results.ledger.export.mean_profile import MeanProfile

NS_OF_1000 = 1e6
"""Nanoseconds of 1,000 queries in a microsecond of one: the form has whole numbers alone."""


def written(profile: MeanProfile) -> bytes:
    """Returns the profile with nanoseconds of server CPU per 1,000 queries as numbers."""
    lines = (
        f"{';'.join(one.replace(';', ':') for one in calls)} {whole}\n"
        for calls, amount in profile.stacks
        if (whole := round(amount * NS_OF_1000))
    )
    return "".join(lines).encode()
