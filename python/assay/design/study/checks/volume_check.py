"""Checks that a study with a volume fits together: settings that contradict the volume, claims that need
one.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.design.study.checks.problems import Problem
from assay.design.study.claims import Claim
from assay.design.study.model.file import StudyFile

USABLE = "usable_pct"
"""The measure that only a volume has."""


def makes_volumes(file: StudyFile) -> bool:
    """Returns whether any of its treatments has a volume."""
    return bool(file.volume) or any(one.key.startswith("volume.") for one in file.varied)


def volume_problems(file: StudyFile) -> Iterator[Problem]:
    """Yields problems with settings that make no sense beside a volume."""
    if not makes_volumes(file):
        return
    says = "cannot be combined with a volume, which is mounted with its options; write volume.mount"
    if "mount" in file.host:
        yield Problem(("host", "mount"), says)
    for one in file.varied:
        if one.key == "host.mount":
            yield Problem(one.place, f'"host.mount" {says}')


def needs_volume(claim: Claim, file: StudyFile) -> Iterator[str]:
    """Yields a sentence when the claim names a volume's space and the study has no volume."""
    if not makes_volumes(file) and any(term.measure == USABLE for term in claim.terms):
        yield f'"{USABLE}" is the space of a volume: add [volume], as in file_system = "btrfs"'
