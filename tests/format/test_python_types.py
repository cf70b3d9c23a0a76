"""Python's types of jobs and events are those of schema/*.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from assay.base.format.job import FixedWarmup, Job, Load, Phases, PoissonArrivals, Target, WorkloadChoice

from scripts.python_types import FORMATS, module, stale


def test_the_files_are_current() -> None:
    """If not: `make schema`."""
    assert stale() == []


def test_a_file_that_was_edited_is_stale(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (schema, file), *_ = FORMATS.items()
    edited = tmp_path / file.name
    edited.write_text(file.read_text().replace("int = 0", "int = 1", 1))
    monkeypatch.setattr("scripts.python_types.FORMATS", {schema: edited})
    assert stale() == [edited]


SCHEMA: dict[str, Any] = {
    "title": "Event",
    "oneOf": [
        {
            "type": "object",
            "properties": {"event": {"type": "string", "const": "count"}},
            "$ref": "#/$defs/Counted",
        },
        {
            "description": "The last line.",
            "type": "object",
            "properties": {"event": {"type": "string", "const": "end"}},
            "$ref": "#/$defs/Ended",
        },
    ],
    "$defs": {
        "Counted": {
            "description": "So many, see [`Ended`].",
            "type": "object",
            "properties": {
                "by_code": {"type": "object", "patternProperties": {r"^\d+$": {"type": "integer"}}},
                "from": {"type": "integer"},
                "how": {"$ref": "#/$defs/How", "default": {"kind": "step_by_step", "steps": [3]}},
                "mean": {"type": ["number", "null"]},
                "size": {"type": "integer", "default": 5},
                "word": {"$ref": "#/$defs/Word", "default": "few"},
            },
            "required": ["from"],
        },
        "Ended": {"type": "object", "properties": {}},
        "How": {
            "oneOf": [
                {"type": "object", "properties": {"kind": {"const": "at_once"}}, "required": ["kind"]},
                {
                    "type": "object",
                    "properties": {
                        "kind": {"const": "step_by_step"},
                        "steps": {"type": "array", "items": {"type": "integer"}},
                    },
                    "required": ["kind", "steps"],
                },
            ]
        },
        "Word": {"oneOf": [{"enum": ["few"]}, {"description": "Most of them.", "const": "many"}]},
    },
}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The types of a made-up format."""
    (tmp_path / "event.json").write_text(json.dumps(SCHEMA))
    found = ModuleType("made_up_event")
    monkeypatch.setitem(sys.modules, found.__name__, found)  # annotations are looked up there
    exec(module(tmp_path / "event.json"), found.__dict__)
    return found


def test_what_is_left_out_has_the_defaults_of_the_schema(made: ModuleType) -> None:
    read = msgspec.json.decode(b'{"event":"count","from":7}', type=made.Event)
    assert read == made.Counted(
        from_=7, by_code={}, how=made.StepByStepHow(steps=[3]), mean=None, size=5, word="few"
    )
    assert read.__doc__ == "So many, see `Ended`."


def test_what_is_said_is_read_and_what_is_unknown_passed_over(made: ModuleType) -> None:
    line = (
        b'{"event":"count","from":7,"by_code":{"1213":4},"how":{"kind":"at_once"},"mean":0.5,"size":6,'
        b'"word":"many","of_a_later_engine":[1]}'
    )
    assert msgspec.json.decode(line, type=made.Event) == made.Counted(
        from_=7, by_code={1213: 4}, how=made.AtOnceHow(), mean=0.5, size=6, word="many"
    )
    assert msgspec.json.decode(b'{"event":"end"}', type=made.Event) == made.Ended()


@pytest.mark.parametrize(
    "line", [b'{"event":"count"}', b'{"event":"count","from":"7"}', b'{"event":"other"}']
)
def test_what_is_no_event_is_refused(made: ModuleType, line: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=made.Event)


def test_a_job_says_only_what_is_not_a_default() -> None:
    job = Job(
        version=1,
        action="run",
        target=Target(socket="/s", user="root", database="assay"),
        workload=WorkloadChoice(name="oltp_point_select"),
        load=Load(connections=8, arrivals=PoissonArrivals(rate=300.0)),
        phases=Phases(warmup=FixedWarmup(duration_ms=1000)),
    )
    assert json.loads(msgspec.json.encode(job)) == {
        "version": 1,
        "action": "run",
        "target": {"socket": "/s", "user": "root", "database": "assay"},
        "workload": {"name": "oltp_point_select"},
        "load": {"connections": 8, "arrivals": {"kind": "poisson", "rate": 300.0}},
        "phases": {"warmup": {"kind": "fixed", "duration_ms": 1000}},
    }
