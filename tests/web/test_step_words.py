"""Each step that the lab tells has words in every language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import assay
import pytest
from assay.design.plan import Script
from assay.front.web.live.step_words import step_words
from assay.measurement.source.dataset.key import NO_TABLES, DatasetKey, dataset_key
from assay.measurement.source.private import _size
from assay.reporting.report import load_words

ROOMS = ("measurement/run", "measurement/source")


def told() -> Iterator[str]:
    """Yields the texts of all calls of `step` in the rooms that carry a run out, with 7 for every figure."""
    for room in ROOMS:
        for file in sorted((Path(assay.__file__).parent / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or len(node.args) != 1:
                    continue
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                match node.args[0]:
                    case ast.Constant(value=str(text)) if name == "step":
                        yield text
                    case ast.JoinedStr(values=parts) if name == "step":
                        yield "".join(one.value if isinstance(one, ast.Constant) else "7" for one in parts)


STEPS = [step for step in dict.fromkeys(told()) if step != "7: 7"]  # a host's step, which is tested below


def test_the_steps_were_found() -> None:
    assert {"killing the server", "starting replica 7", "loading the dataset 7: 7"} <= set(STEPS)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_has_words(step: str) -> None:
    assert step_words(step, load_words("en")) == step
    shown = step_words(step, load_words("zh"))
    assert any("\u4e00" <= letter <= "\u9fff" for letter in shown), shown
    assert shown.count("7") == step.count("7")


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        (dataset_key("b", "oltp_insert", {"tables": 2, "table_size": 1000}, {}), "约 2,000 行，至多"),
        (
            replace(dataset_key("b", NO_TABLES, {}, {}), script=cast(Script, SimpleNamespace(threads=1))),
            "大小由其脚本决定",
        ),
    ],
)
def test_the_size_of_a_dataset_has_words(key: DatasetKey, shown: str) -> None:
    step = f"loading the dataset {key.label}: {_size(key)}"
    assert step_words(step, load_words("en")) == step
    found = step_words(step, load_words("zh"))
    assert found.startswith(f"装载数据集 {key.label}：{shown}")


def test_a_load_of_a_dataset_has_its_number() -> None:
    key = dataset_key("b", "oltp_insert", {"tables": 1, "table_size": 10}, {})
    step = f"loading the dataset {key.label}: {_size(key)} (load 2)"
    assert step_words(step, load_words("en")) == step
    assert step_words(step, load_words("zh")).endswith("（第 2 次装载）")


def test_a_step_of_a_host_has_its_host_before_it() -> None:
    assert step_words("db1: starting the server", load_words("zh")) == "db1: 启动服务器"
    assert step_words("db1: threads 8", load_words("en")) == "db1: 8 threads"
    assert step_words("something new", load_words("zh")) == "something new"
