"""The JSON Schema of a study file, for editors that complete and check TOML."""

from __future__ import annotations

import json
from typing import Any

from assay.design.study.model.file import StudyFile


def schema() -> dict[str, Any]:
    """Returns the JSON Schema (draft 2020-12) made from the models of the file."""
    made = StudyFile.model_json_schema(by_alias=True, mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made, "title": "Assay study"}


def schema_text() -> str:
    """Returns the JSON Schema of a study as text, as in schema/study.json."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
