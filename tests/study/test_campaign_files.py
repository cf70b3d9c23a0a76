"""Campaign files: how they are read, and the messages about wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import InputError
from assay.design.study import read_campaign

GOOD = """\
[campaign]
name = "night"
title = { en = "One night", zh = "一夜" }

[[study]]
file = "a.toml"

[[study]]
file = "deep/b.toml"
scale = "small"
"""


def test_studies_are_read_in_order(tmp_path: Path) -> None:
    (file := tmp_path / "night.toml").write_text(GOOD, encoding="utf-8")
    campaign = read_campaign(file)
    assert (campaign.name, campaign.title["zh"]) == ("night", "一夜")
    assert [(one.file, one.scale) for one in campaign.studies] == [
        (tmp_path / "a.toml", None),
        (tmp_path / "deep/b.toml", "small"),
    ]


@pytest.mark.parametrize(
    ("said", "instead", "message"),
    [
        ('name = "night"', 'name = "A night"', ':2: campaign.name: "A night" is not allowed; use a-z'),
        ('name = "night"', 'nmae = "night"', ':2: campaign.nmae: unknown key; did you mean "name"?'),
        ("[campaign]\n", "[campain]\n", ':1: campain: unknown key; did you mean "campaign"?'),
        ('file = "a.toml"', "", ": study[0].file: is missing: The study file"),
        ('scale = "small"', "scale = 3", ":10: study[1].scale: 3 is not a string in quotes"),
        (
            'scale = "small"',
            'scal = "small"',
            ':10: study[1].scal: unknown key; did you mean "scale"',
        ),
        ('"deep/b.toml"\nscale = "small"', '"a.toml"', ": study[1]: a.toml is listed twice"),
        ("[[study]]", "[study", ": cannot be read as TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, said: str, instead: str, message: str) -> None:
    assert said in GOOD
    (file := tmp_path / "night.toml").write_text(GOOD.replace(said, instead, 1), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_campaign(file)
    assert caught.value.message.startswith(f"{file}"), caught.value.message
    assert message in caught.value.message


def test_a_campaign_without_studies(tmp_path: Path) -> None:
    (file := tmp_path / "night.toml").write_text('[campaign]\nname = "night"\n', encoding="utf-8")
    with pytest.raises(InputError, match="study: is missing: write one"):
        read_campaign(file)
