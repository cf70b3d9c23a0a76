"""The process that draws charts: it ends by itself, and is started anew when there is something to draw."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import vl_convert
from assay.base.errors import HostError
from assay.reporting.report.charts import drawing
from assay.reporting.report.charts.drawing import Drawing
from assay.reporting.report.charts.render import PNG_SCALE, VEGA_LITE

DOCUMENT = json.dumps({"data": {"values": [{"x": "\N{CJK UNIFIED IDEOGRAPH-4E2D} <b>"}]}, "mark": "text",
                       "encoding": {"text": {"field": "x", "type": "nominal"}}})  # fmt: skip
SENT = """
import sys
for line in sys.stdin.buffer:
    sys.stdout.buffer.write({answer!r})
    sys.stdout.buffer.flush()
    break
"""


@pytest.fixture(scope="module")
def process() -> Iterator[Drawing]:
    one = Drawing(VEGA_LITE, PNG_SCALE)
    yield one
    one.end()


def test_a_picture_is_that_of_the_library(process: Drawing) -> None:
    assert process.draw("svg", DOCUMENT).decode() == vl_convert.vegalite_to_svg(
        DOCUMENT, vl_version=VEGA_LITE
    )
    png = vl_convert.vegalite_to_png(DOCUMENT, vl_version=VEGA_LITE, scale=PNG_SCALE)
    assert process.draw("png", DOCUMENT) == png


def test_a_document_that_cannot_be_drawn_is_an_error_and_the_next_is_drawn(process: Drawing) -> None:
    with pytest.raises(ValueError, match="expected"):
        process.draw("svg", "no document")
    assert process.draw("svg", DOCUMENT).startswith(b"<svg")


def test_a_process_that_ended_is_started_anew(process: Drawing) -> None:
    first = process.draw("svg", DOCUMENT)
    assert process._process is not None
    process._process.kill()
    process._process.wait()
    assert process.draw("svg", DOCUMENT) == first


def test_it_ends_when_nothing_is_to_be_drawn() -> None:
    idle = Drawing(VEGA_LITE, PNG_SCALE, idle_s=0.0)
    idle._process = drawing._started(idle._words)
    assert idle._process.wait(60) == 0
    idle.end()


@pytest.mark.parametrize("answer", [b"", b"[true, 9]\n<svg"], ids=["none", "torn"])
def test_one_that_is_killed_at_its_work_is_an_error(
    answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "killed.py"
    program.write_text(SENT.format(answer=answer))
    monkeypatch.setattr(drawing, "_PROGRAM", program)
    with pytest.raises(HostError, match="ended with exit code 0"):
        Drawing(VEGA_LITE, PNG_SCALE).draw("svg", DOCUMENT)


def test_an_answer_that_nobody_read_is_not_the_next_pictures(
    process: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = DOCUMENT.replace("<b>", "another")
    wanted = process.draw("svg", other)

    def interrupted(asked: subprocess.Popen[bytes], request: bytes) -> bytes:
        assert asked.stdin is not None
        asked.stdin.write(request)
        asked.stdin.flush()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(drawing, "_answer", interrupted)
        with pytest.raises(KeyboardInterrupt):
            process.draw("svg", DOCUMENT)
    assert process.draw("svg", other) == wanted != process.draw("svg", DOCUMENT)
