"""A value that cannot be stored is named with its file or its column, whichever is known."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.results.store import build_store
from assay.testing.results_folder import Truth, make_results


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> ResultsFolder:
    truth = Truth(measure_s=2, warmup_s=1)
    place = tmp_path_factory.mktemp("made") / "made"
    return make_results(place, blocks=1, loads=(1,), truth=truth, treatments={"default": {}})


def told(folder: ResultsFolder, line: dict[str, object]) -> str:
    """Returns the error of a store built with another last event; an empty text where there is none."""
    (run,) = folder.finished_runs()
    events = run.rung(1, "threads", 1).events
    whole = events.read_text()
    shutil.rmtree(folder.store, ignore_errors=True)
    try:
        events.write_text("\n".join([*whole.splitlines()[:-1], json.dumps(line), ""]))
        build_store(folder)
    except InputError as error:
        return error.message
    finally:
        events.write_text(whole)
    return ""


def result_of(folder: ResultsFolder) -> dict[str, Any]:
    (run,) = folder.finished_runs()
    found: dict[str, Any] = json.loads(run.rung(1, "threads", 1).events.read_text().splitlines()[-1])
    return found


@pytest.mark.sampled(1)
@pytest.mark.parametrize("value", ["x", 2**63, 10**30, 1e308])
def test_the_file_or_the_column_of_a_value_is_named(made: ResultsFolder, value: object) -> None:
    result = result_of(made)
    kind = str if isinstance(value, str) else int
    keys = [key for key, number in result.items() if type(number) is kind and key != "event"]
    messages = {key: told(made, {**result, key: value}) for key in keys}
    assert any(messages.values()) or not keys
    for key, message in messages.items():
        assert not message or "events.jsonl" in message or f"{key} of " in message, message


def test_a_damaged_histogram_is_named_by_its_file(made: ResultsFolder) -> None:
    for damage in ("AAAA", "no base 64 !"):
        result = result_of(made)
        for label in result["labels"].values():
            label["service"] = damage
        assert "events.jsonl cannot be read: " in told(made, result), damage
