"""Options that the engine's catalogue does not know are refused before load is spent."""

# ruff: noqa: E501 (one row a message)

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from assay.base.errors import InputError
from assay.design.plan import check_workload, make_plan
from assay.design.study import Factor, Load, SchemaChoice, ServerChoice, Study, WorkloadChoice
from assay.design.study.model.experiment import ExperimentChoice
from assay.design.study.text.study_text import StudyText

# As schemars writes the options of a workload.
CATALOGUE = [
    {
        "name": "oltp_read_write",
        "summary": "…",
        "options": {
            "type": "object",
            "properties": {
                "tables": {"type": "integer", "format": "uint32", "minimum": 1},
                "table_size": {"type": "integer", "minimum": 1, "maximum": 1000},
                "skip_trx": {"type": "boolean"},
                "rand_zipfian_exp": {"type": "number"},
                "rand_h": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
                "create_table_options": {"type": "string"},
                "reconnect": {"type": ["integer", "null"]},
                "patience": {"type": ["null", "number"]},
                "page_kib": {"type": "integer", "enum": [4, 8, 16]},
                "mode": {"oneOf": [{"const": 1}, {"const": "fast"}, {"const": False}]},
                "rand_type": {"$ref": "#/$defs/Distribution"},
                "mysql_storage_engine": {"type": "string"},
            },
            "$defs": {
                "Distribution": {
                    "oneOf": [
                        {"type": "string", "enum": ["uniform", "pareto"]},
                        {"description": "…", "type": "string", "const": "zipfian"},
                    ]
                }
            },
        },
    },
    {"name": "oltp_point_select", "summary": "…", "options": {"type": "object", "properties": {}}},
]


def check(
    use: str = "oltp_read_write", factor: Factor | None = None, index: bool | None = None, **options: Any
) -> None:
    study = Study(
        name="a",
        server=ServerChoice(use="mariadb"),
        workload=WorkloadChoice(use=use, options=options),
        schema_=SchemaChoice(index=index),
        load=Load(threads=(1,)),
        factors=(factor,) if factor else (),
    )
    check_workload(make_plan(study, seed=1), CATALOGUE, StudyText(Path("a.toml")))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("tables", 4),
        ("skip_trx", True),
        ("rand_zipfian_exp", 0.8),
        ("rand_zipfian_exp", 1),
        ("create_table_options", "ROW_FORMAT=COMPRESSED"),
        ("rand_type", "pareto"),
        ("rand_type", "zipfian"),
        ("reconnect", 5),
    ],
)
def test_right_options(option: str, value: object) -> None:
    check(**{option: value})


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("table_sise", 4, 'workload.table_sise: oltp_read_write has no such option; did you mean "table_size"?'),
        ("table-size", 4, 'workload.table-size: oltp_read_write has no such option; did you mean "table_size"?'),
        ("tables", "4", 'workload.tables: "4" is not a whole number'),
        ("tables", 4.0, "workload.tables: 4.0 is not a whole number"),
        ("tables", True, "workload.tables: true is not a whole number"),
        ("tables", 0, "workload.tables: 0 is out of range; allowed: at least 1"),
        ("table_size", 1001, "workload.table_size: 1001 is out of range; allowed: at most 1000"),
        ("tables", 2**32, "workload.tables: 4294967296 is out of range; allowed: at most 4294967295"),
        ("rand_h", 0.0, "workload.rand_h: 0.0 is out of range; allowed: more than 0"),
        ("rand_h", 1, "workload.rand_h: 1 is out of range; allowed: less than 1"),
        ("skip_trx", 1, "workload.skip_trx: 1 is not true or false"),
        ("create_table_options", 1, "workload.create_table_options: 1 is not a string in quotes"),
        ("rand_zipfian_exp", "x", 'workload.rand_zipfian_exp: "x" is not a number'),
        ("rand_type", "paretto", 'workload.rand_type: "paretto" is not allowed; did you mean "pareto"?'),
        ("reconnect", "x", 'workload.reconnect: "x" is not a whole number'),
        ("patience", "x", 'workload.patience: "x" is not a number'),
        ("page_kib", 5, "workload.page_kib: 5 is not allowed; known: 4, 8, 16"),
        ("page_kib", "8", 'workload.page_kib: "8" is not allowed; known: 4, 8, 16'),
        ("mode", 2, 'workload.mode: 2 is not allowed; known: 1, "fast", false'),
    ],
)  # fmt: skip
def test_wrong_options(option: str, value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check(**{option: value})
    assert caught.value.message == f"a.toml: {message}"
    assert caught.value.hint == "options of oltp_read_write: assay bench oltp_read_write --help"


def test_an_unknown_workload_names_the_nearest() -> None:
    with pytest.raises(
        InputError, match='no workload is called "oltp_readwrite"; did you mean "oltp_read_write"'
    ):
        check("oltp_readwrite")


def test_a_level_of_a_factor_is_checked_too() -> None:
    with pytest.raises(InputError, match=r"workload\.tables: 0 is out of range"):
        check(factor=Factor(name="workload.tables", levels=(1, 0)))


def test_a_schema_that_the_workload_has_not_is_named_as_the_study_writes_it() -> None:
    with pytest.raises(
        InputError, match=r"schema\.index \(option create_secondary\): oltp_read_write has no such"
    ):
        check(index=False)


def test_dialects_are_not_compared() -> None:
    factor = Factor(name="workload.dialect", levels=("spec", "tpcc-mysql"))
    with pytest.raises(
        InputError, match=r"workload\.dialect: results of spec and tpcc-mysql cannot be compared"
    ):
        check("tpcc", factor)


def change_schema(use: str, **options: str) -> None:
    study = Study(
        name="a",
        server=ServerChoice(use="mariadb"),
        workload=WorkloadChoice(use=use),
        load=Load(threads=(1,)),
        experiment=ExperimentChoice(use="schema-change", options=dict(options)),
    )
    check_workload(make_plan(study, seed=1), CATALOGUE, StudyText(Path("a.toml")))


def test_a_schema_change_of_tables_that_the_workload_has_not() -> None:
    change_schema("oltp_read_write")
    change_schema("oltp_point_select", statement="ALTER TABLE stock ADD INDEX q (s_quantity)")
    with pytest.raises(
        InputError, match=r"a\.toml: experiment\.statement: oltp_point_select has no tables for"
    ):
        change_schema("oltp_point_select")
