"""The type of an author's texts: titles, descriptions, sources, labels, sentences of hypotheses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import WithJsonSchema

from assay.design.study.model import checks
from assay.design.study.model.checks import checked

Texts = Annotated[
    dict[str, str],
    checked(checks.texts),
    WithJsonSchema({"type": ["string", "object"], "additionalProperties": {"type": "string"}}),
]
"""A text by language: `{ en = "…", zh = "…" }`; a file may write one text alone, which is English. Empty
where there is none.
"""


def in_language(texts: Mapping[str, str], language: str = "en") -> str:
    """Returns the text in a language, otherwise in English, otherwise any; empty where there is none."""
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), "")


def as_written(texts: Mapping[str, str]) -> Any:
    """Returns texts as a file has them: English alone is a plain text."""
    return texts["en"] if set(texts) == {"en"} else dict(texts)
