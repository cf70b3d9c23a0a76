"""The list of the audit's rules: one a file, a line here."""

from __future__ import annotations

from assay.audit.rules import (
    block_size,
    claims,
    comments,
    copies,
    count_and_rate,
    differences,
    facts,
    in_flight,
    latency_shares,
    levels,
    off_curve,
    percentiles,
    processors,
    prose_arithmetic,
    prose_figures,
    queries,
    repeated_rows,
    settings,
    shares,
    two_values,
    undeclared,
    whole_and_parts,
)
from assay.audit.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    queries.RULE,
    block_size.RULE,
    in_flight.RULE,
    count_and_rate.RULE,
    whole_and_parts.RULE,
    shares.RULE,
    differences.RULE,
    latency_shares.RULE,
    percentiles.RULE,
    off_curve.RULE,
    copies.RULE,
    repeated_rows.RULE,
    two_values.RULE,
    prose_arithmetic.RULE,
    prose_figures.RULE,
    claims.RULE,
    comments.RULE,
    levels.RULE,
    facts.RULE,
    processors.RULE,
    settings.RULE,
    undeclared.RULE,
)

__all__ = ["RULES", "Rule"]
