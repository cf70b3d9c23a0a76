"""The manual is printed by its pages and by verb."""

from __future__ import annotations

import json
import re

import pytest
from assay.front.cli.manual import PARTS
from assay.front.cli.verbs import VERBS
from shell import ROOT, Shell


def test_every_verb_and_every_page_is_in_the_manual(shell: Shell) -> None:
    for verb in VERBS:
        assert shell("manual", verb.name).out.startswith(f"## assay {verb.name}"), verb.name
        if verb.manual:
            assert shell("manual", verb.manual).out.startswith("# "), verb.manual
    listed = json.loads(shell("manual", "--json").out)
    files = [file for part in PARTS for file in (ROOT / "docs" / part).glob("*.md")]
    assert len(listed) == len(files) > 20
    assert all(one["title"] for one in listed)


@pytest.mark.parametrize(
    ("page", "said"),
    [("gat", 'did you mean "gate"?'), ("audit.md", "names several pages: reference/audit, method/audit")],
)
def test_a_page_that_is_none_or_several_is_refused(shell: Shell, page: str, said: str) -> None:
    ended = shell("manual", page)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_texts_name_pages_as_an_installation_has_them() -> None:
    """A path below docs/ is a place of the source, which who installed a package does not have."""
    named, paths = [], []
    for file in (ROOT / "python/assay").rglob("*.py"):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            named += re.findall(r"assay manual ([a-z]+/[a-z-]+)", line)
            if re.search(r"""["'][^`]*docs/(?:guide|reference|method)/""", line):
                paths.append(f"{file}:{number}")
    assert len(named) >= 4
    assert not [page for page in named if not (ROOT / "docs" / f"{page}.md").is_file()]
    assert paths == []
