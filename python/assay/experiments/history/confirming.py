"""Writes the study that confirms a change: the builds before and after it, in the same blocks."""

from __future__ import annotations

import math
from pathlib import Path

from assay.base.durable import write_whole
from assay.base.errors import InputError
from assay.experiments.history.changes import Shift
from assay.experiments.history.paired_study import Question, template_of
from assay.experiments.history.states import confirmation
from assay.experiments.lab import figures_of, results_folder

_LARGEST_MARGIN = 0.99


def write_confirmation(root: Path, shift: Shift) -> Path:
    """Writes the study that confirms a change, made from a study with the newer build; returns the path of
    the file.

    It asks whether at least half of the change, on a logarithmic scale, is there when both builds run in the
    same blocks. Raises InputError where both values are of one build, so that no build changed.
    """
    if shift.before_use == shift.after_use:
        raise InputError(
            f"{shift.id}: both values are of {shift.after_use}: there are no two builds to compare",
            hint="what changed is the server behind that name, the host or its settings; `assay report` shows"
            " them for each results folder",
        )
    change = shift.largest
    assert change.series.where.load is not None
    source = next(point for point in change.series.points if point.build == shift.after).folders[0]
    with figures_of(results_folder(Path(source))) as found:
        (text,) = found.store.execute("SELECT text FROM study").fetchall()[0]
    made = template_of(text, Path(source))
    before, after = shift.before_use, shift.after_use
    question = Question(
        good=after if change.is_better else before,
        other=before if change.is_better else after,
        measure=change.series.measure,
        load=change.series.where.load,
        margin=min(math.sqrt(1 + change.size) - 1, _LARGEST_MARGIN),
        confidence=made.study.verdict.confidence,
    )
    levels = dict(change.series.where.levels)
    file = confirmation(root, shift.id).with_suffix(".toml")
    file.parent.mkdir(parents=True, exist_ok=True)
    opened = made.asking(question, f"confirm-{shift.id}", made.study.design.blocks, levels)
    write_whole(file, opened.text.kept.encode())
    return file
