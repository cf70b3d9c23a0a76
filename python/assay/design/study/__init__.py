"""Reads a study file into frozen, validated types, without behaviour beyond validation."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.design.study import claims, derive, device_failure, option_lines, storage, volume_settings
    from assay.design.study.arrivals import Arrivals, Named, at_rate, kind_of
    from assay.design.study.binaries import binaries
    from assay.design.study.claims import (
        Claim,
        ClaimPart,
        ClaimSyntaxError,
        ComparisonClaim,
        EveryRunClaim,
        LoadKind,
        Selector,
        Term,
        parse_claim,
    )
    from assay.design.study.conditions import (
        Choice,
        Conditions,
        Unlikeness,
        configuration_text,
        forbidding,
        host_class_of,
        is_far,
        unlikenesses,
    )
    from assay.design.study.data_files import (
        AFTER,
        DATADIR,
        DUMP,
        GENERATE,
        Data,
        data_path,
        data_use,
        digest_of,
        files_under,
        missing_data,
        parse_data,
        unpacked_bytes,
    )
    from assay.design.study.difference import difference_text, stated_differences
    from assay.design.study.experiments import EXPERIMENTS
    from assay.design.study.former_names import FORMER_SCALE
    from assay.design.study.host_settings import HOST
    from assay.design.study.identity import fixed_hash, study_hash
    from assay.design.study.known_variables import RULED_FLAVOURS, VariableKind, shapes_files, variable_kind
    from assay.design.study.measures import (
        CORRECTED,
        HIGHER_IS_BETTER,
        MEASURES,
        STALLED,
        TIMES,
        parted,
        unit_of,
    )
    from assay.design.study.model.design import Design
    from assay.design.study.model.experiment import ExperimentChoice
    from assay.design.study.model.factor import Factor
    from assay.design.study.model.factor_names import check_factor_name, check_level
    from assay.design.study.model.gate import GateRule
    from assay.design.study.model.hypothesis import Hypothesis
    from assay.design.study.model.json_schema import schema, schema_text
    from assay.design.study.model.keys import GIVEN, KEYS, SERVER_USE, WORKLOAD, short_name
    from assay.design.study.model.load import Load, RungOrder
    from assay.design.study.model.phases import Warmup
    from assay.design.study.model.schema import SchemaChoice
    from assay.design.study.model.server import ServerChoice
    from assay.design.study.model.study import Study
    from assay.design.study.model.texts import in_language
    from assay.design.study.model.verdict import OF_COPIES, VerdictOptions
    from assay.design.study.model.workload import WorkloadChoice
    from assay.design.study.naming import named_claims, verdict_terms
    from assay.design.study.nearest import did_you_mean
    from assay.design.study.option_names import switch_value, variable_name, variable_set
    from assay.design.study.screens import factor_labels, is_scaled, row_name, screen_rows
    from assay.design.study.scripts import LUA, SQL, is_of_pgbench, is_script, no_such_workload
    from assay.design.study.server_values import SUFFIX, number, option_text, same_value
    from assay.design.study.shipped import SHIPPED, english_title
    from assay.design.study.statement_lines import has_statement_lines, says_something
    from assay.design.study.subject import IMPORTED, SERVER, Kind, kind_measured, subject_of
    from assay.design.study.text.campaign import Campaign, CampaignStudy, read_campaign
    from assay.design.study.text.named_files import named_text
    from assay.design.study.text.options_file import SET_BY_THE_LAB, read_options_file
    from assay.design.study.text.override import Changes
    from assay.design.study.text.reading import (
        changed_text,
        load_measured,
        load_study,
        parse_study,
        read_back,
        read_study_text,
        server_gap,
    )
    from assay.design.study.text.study_text import StudyText
    from assay.design.study.text.workload_files import file_hashes, texts_of, workload_file
    from assay.design.study.text.writing import changes_between, study_toml
    from assay.design.study.values import (
        COPY,
        DEFAULT_PLACE,
        Scalar,
        bound_text,
        check_numa,
        check_variable,
        check_variable_name,
        is_word,
        level_text,
        masked,
        parse_duration_s,
        parse_size_bytes,
        shown,
        size_text,
    )
    from assay.design.study.version_span import VersionSpan, parse_version_span
    from assay.design.study.work import Work, work_of
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "AFTER",
    "COPY",
    "CORRECTED",
    "DATADIR",
    "DEFAULT_PLACE",
    "DUMP",
    "EXPERIMENTS",
    "FORMER_SCALE",
    "GENERATE",
    "GIVEN",
    "HIGHER_IS_BETTER",
    "HOST",
    "IMPORTED",
    "KEYS",
    "LUA",
    "MEASURES",
    "OF_COPIES",
    "RULED_FLAVOURS",
    "SERVER",
    "SERVER_USE",
    "SET_BY_THE_LAB",
    "SHIPPED",
    "SQL",
    "STALLED",
    "SUFFIX",
    "TIMES",
    "WORKLOAD",
    "Arrivals",
    "Campaign",
    "CampaignStudy",
    "Changes",
    "Choice",
    "Claim",
    "ClaimPart",
    "ClaimSyntaxError",
    "ComparisonClaim",
    "Conditions",
    "Data",
    "Design",
    "EveryRunClaim",
    "ExperimentChoice",
    "Factor",
    "GateRule",
    "Hypothesis",
    "Kind",
    "Load",
    "LoadKind",
    "Named",
    "RungOrder",
    "Scalar",
    "SchemaChoice",
    "Selector",
    "ServerChoice",
    "Study",
    "StudyText",
    "Term",
    "Unlikeness",
    "VariableKind",
    "VerdictOptions",
    "VersionSpan",
    "Warmup",
    "Work",
    "WorkloadChoice",
    "at_rate",
    "binaries",
    "bound_text",
    "changed_text",
    "changes_between",
    "check_factor_name",
    "check_level",
    "check_numa",
    "check_variable",
    "check_variable_name",
    "claims",
    "configuration_text",
    "data_path",
    "data_use",
    "derive",
    "device_failure",
    "did_you_mean",
    "difference_text",
    "digest_of",
    "english_title",
    "factor_labels",
    "file_hashes",
    "files_under",
    "fixed_hash",
    "forbidding",
    "has_statement_lines",
    "host_class_of",
    "in_language",
    "is_far",
    "is_of_pgbench",
    "is_scaled",
    "is_script",
    "is_word",
    "kind_measured",
    "kind_of",
    "level_text",
    "load_measured",
    "load_study",
    "masked",
    "missing_data",
    "named_claims",
    "named_text",
    "no_such_workload",
    "number",
    "option_lines",
    "option_text",
    "parse_claim",
    "parse_data",
    "parse_duration_s",
    "parse_size_bytes",
    "parse_study",
    "parse_version_span",
    "parted",
    "read_back",
    "read_campaign",
    "read_options_file",
    "read_study_text",
    "row_name",
    "same_value",
    "says_something",
    "schema",
    "schema_text",
    "screen_rows",
    "server_gap",
    "shapes_files",
    "short_name",
    "shown",
    "size_text",
    "stated_differences",
    "storage",
    "study_hash",
    "study_toml",
    "subject_of",
    "switch_value",
    "texts_of",
    "unit_of",
    "unlikenesses",
    "unpacked_bytes",
    "variable_kind",
    "variable_name",
    "variable_set",
    "verdict_terms",
    "volume_settings",
    "work_of",
    "workload_file",
]
