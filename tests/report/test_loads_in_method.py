"""The page says on how many loads of the data its comparisons rest."""

from __future__ import annotations

from dataclasses import replace

import pytest
from assay.reporting.report.material import Material
from assay.reporting.report.method import paragraphs
from assay.reporting.report.words import LANGUAGES, load_words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("loads", [None, 3, 6])
def test_several_loads_stand_on_the_page(material: Material, language: str, loads: int | None) -> None:
    compared = tuple(replace(one, loads=loads) for one in material.results.comparisons)
    words = load_words(language)
    here = replace(material, results=replace(material.results, comparisons=compared), words=words)
    said = [words("method.loads", loads=loads or 0)]
    assert [one for one in paragraphs(here) if one.startswith(said[0][:10])] == (said if loads else [])
