"""A study: the file a person writes, as frozen, validated types. No behaviour beyond validation."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.study.claims import (
        Claim,
        ClaimSyntaxError,
        EqualClaim,
        EveryRunClaim,
        LevelClaim,
        LoadKind,
        OrderClaim,
        RatioClaim,
        Selector,
        Term,
        parse_claim,
    )
    from assay.study.identity import study_hash
    from assay.study.json_schema import schema, schema_text
    from assay.study.measures import HIGHER_IS_BETTER, MEASURES, parted
    from assay.study.models import (
        Design,
        ExperimentChoice,
        Factor,
        Hypothesis,
        Load,
        SchemaChoice,
        ServerChoice,
        Study,
        VerdictOptions,
        Warmup,
        WorkloadChoice,
    )
    from assay.study.reading import load_measured, load_study, parse_study, read_study_text
    from assay.study.values import Scalar, level_text
    from assay.study.writing import study_toml
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "HIGHER_IS_BETTER",
    "MEASURES",
    "Claim",
    "ClaimSyntaxError",
    "Design",
    "EqualClaim",
    "EveryRunClaim",
    "ExperimentChoice",
    "Factor",
    "Hypothesis",
    "LevelClaim",
    "Load",
    "LoadKind",
    "OrderClaim",
    "RatioClaim",
    "Scalar",
    "SchemaChoice",
    "Selector",
    "ServerChoice",
    "Study",
    "Term",
    "VerdictOptions",
    "Warmup",
    "WorkloadChoice",
    "level_text",
    "load_measured",
    "load_study",
    "parse_claim",
    "parse_study",
    "parted",
    "read_study_text",
    "schema",
    "schema_text",
    "study_hash",
    "study_toml",
]
