"""Writes the page of the flame graph of differences: one file that can be searched, and needs no network."""

from __future__ import annotations

import json
from itertools import groupby

from markupsafe import Markup

from assay.reporting.report.charts import flame
from assay.reporting.report.charts.sentences import sentence
from assay.reporting.report.material import Material
from assay.reporting.report.page_templates import page_template
from assay.reporting.report.records.flame import FlameFrame, flame_frames


def flame_page(material: Material) -> str | None:
    """Returns the page as HTML, with a picture for each pair of treatments; None without stacks."""
    words, chart = material.words, flame.draw(material)
    if chart is None:
        return None
    pairs = [
        {
            "name": words(
                "flame.between", baseline=baseline, treatment=treatment, load=material.load_words(load)
            ),
            "frames": [_shown(one, material) for one in of_pair],
        }
        for (baseline, treatment, load), of_pair in groupby(material.once(flame_frames), _pair)
    ]
    said = {key: words(f"chart.flame-{key}") for key in ("more", "less", "undecided", "whole")}
    data = json.dumps({"pairs": pairs, "words": {**said, "change": words("flame.change")}})
    return page_template("flame.html.j2").render(
        w=words,
        language=words.language,
        title=words("chart.flame"),
        caption=sentence(material, chart),
        method=chart.method,
        data=Markup(data.replace("<", "\\u003c")),  # nothing in it ends the element
    )


def _pair(frame: FlameFrame) -> tuple[str, str, float]:
    return frame.baseline, frame.treatment, frame.load


def _shown(frame: FlameFrame, material: Material) -> dict[str, object]:
    return {
        "name": frame.name,
        "group": material.words(f"ledger.group.{frame.group}"),
        "depth": frame.depth,
        "start": frame.start_us,
        "end": frame.end_us,
        "before": frame.before_us,
        "after": frame.after_us,
        "change": frame.change_us,
        "low": frame.low_us,
        "high": frame.high_us,
        "word": frame.word,
    }
