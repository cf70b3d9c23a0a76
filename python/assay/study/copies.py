"""Makes the A/A study of a study: equal copies of its baseline, which differ by noise alone."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any, cast

import tomlkit

from assay.decoding import toml_tables
from assay.study.fixing import fix_factors
from assay.study.models import OF_COPIES, Study
from assay.study.study_text import StudyText
from assay.study.values import COPY

SUFFIX = "-aa"
_LONGEST_NAME = 60
OF_ANY_DESIGN = ("order", "seed", "redo", "fair")
"""Keys of [design] that another study of the same experiment keeps, whatever its treatments are."""


def copies_of(study: Study, source: StudyText, *, copies: int, blocks: int, loads: int = 1) -> StudyText:
    """Returns the text of a study of `copies` baselines in `blocks` blocks, without hypotheses and gates.

    `source` is the text of `study`. Every factor has its first level; the load, the seed and the order stay.
    With several `loads` of the baseline's dataset, each copy of a block has another of them.
    A margin that is taken from A/A results has its default, since there are none yet.
    """
    raw = toml_tables(source.kept)
    fix_factors(raw, study.factors)
    raw.pop("hypothesis", None)
    raw.pop("gate", None)
    raw.pop("profile", None)  # it is applied already
    raw["study"] = {
        "name": study.folder_name[: _LONGEST_NAME - len(SUFFIX)] + SUFFIX,
        "title": {language: f"A/A: {text}" for language, text in study.title.items()},
        "description": f"{copies} equal copies of the baseline of {study.folder_name}:"
        " all that differs is noise.",
    }
    raw["factor"] = [{"name": COPY, "levels": list(range(1, copies + 1))}]
    kept = {key: value for key, value in raw.get("design", {}).items() if key in OF_ANY_DESIGN}
    raw["design"] = kept | {"blocks": blocks} | ({"loads": loads} if loads > 1 else {})
    verdict = cast(MutableMapping[str, Any], raw.get("verdict", {}))
    if verdict.get("margin") == OF_COPIES:
        del verdict["margin"]
    return StudyText(source.path, tomlkit.dumps(cast(Mapping[str, Any], raw)))
