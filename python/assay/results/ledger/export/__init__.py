"""Writes profiles in the forms of other programs: one file a form, one line here for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assay.results.ledger.export import collapsed, firefox, pprof, speedscope
from assay.results.ledger.export.mean_profile import MeanProfile, RunProfile, mean_profile

__all__ = ["FORMS", "HTML", "MeanProfile", "ProfileForm", "RunProfile", "mean_profile"]


@dataclass(frozen=True)
class ProfileForm:
    """A form of files with profiles: the ending of their names, and what makes one of a profile."""

    ending: str
    write: Callable[[MeanProfile], bytes]


FORMS: dict[str, ProfileForm] = {
    "collapsed": ProfileForm("collapsed.txt", collapsed.written),
    "pprof": ProfileForm("pb.gz", pprof.written),
    "speedscope": ProfileForm("speedscope.json", speedscope.written),
    "firefox": ProfileForm("firefox.json", firefox.written),
}

HTML = "html"
"""The form that is no profile: a page with the differences between treatments, which the report makes."""
