"""Says in a few words what came of results, by the summary that was kept when they were judged."""

from __future__ import annotations

from datetime import UTC, datetime

from assay.base.numbers import number
from assay.design.folder import ResultsFolder
from assay.experiments.lab.headline import Headline
from assay.experiments.lab.summary import summary_kept


def last_result(folder: ResultsFolder) -> str | None:
    """Returns the day of the last run and the treatment with the most throughput, beside the baseline at the
    same load; None where results were not judged since a file has changed.
    """
    kept = summary_kept(folder)
    if kept is None or not kept.ended_ns:
        return None
    day = f"{datetime.fromtimestamp(kept.ended_ns / 1e9, UTC):%Y-%m-%d}"
    return day if kept.headline is None else f"{day}: {_said(kept.headline)}"


def _said(headline: Headline) -> str:
    before = f"{headline.baseline} {number(headline.before)} {headline.measure}"
    if headline.after is None:
        return before
    after = f"{headline.other} {number(headline.after)} {headline.measure}"
    return f"{after}, {headline.baseline} {number(headline.before)}"
