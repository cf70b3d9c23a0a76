"""A scale was once called a profile: texts, folders and command lines that say so mean what they did."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click
import pytest
from assay.base.errors import InputError
from assay.design.study import changed_text, parse_study, read_campaign, study_hash
from assay.front.cli.result_options import scale_option
from click.testing import CliRunner

from studies import FILE, VALID

BARE = VALID[: VALID.index("[[hypothesis]]")]
SPELLINGS = [
    '[scale.small]\n"load.threads" = [2]',
    "[scale.small]\nload.threads = [2]",
    "[scale.small.load]\nthreads = [2]",
    '[scale]\nsmall = { "load.threads" = [2] }',
    '[ scale . "small" ]\n"load".threads = [2]',
    "[scale.small]\n'load.threads' = [2]\n[scale.big]\nload.threads = [4]",
]


def former(text: str) -> str:
    return re.sub(r"(?m)^(\[ ?)?scale\b", r"\1profile", text)


@pytest.mark.parametrize("scales", SPELLINGS)
@pytest.mark.parametrize("default", [False, True])
def test_a_text_with_the_former_name_is_the_same_study(scales: str, default: bool) -> None:
    head = BARE.replace('name = "a"', 'name = "a"\nscale = "small"', 1) if default else BARE
    text = f"{head}\n# why\n{scales}\n"
    old, asked = former(text), None if default else "small"
    assert "scale" not in old
    study = parse_study(old, FILE, scale=asked)
    assert study == parse_study(text, FILE, scale=asked)
    assert study.load.threads == (2,)
    kept = changed_text(old, FILE, {("design", "blocks"): 9}, asked).kept
    assert "profile" not in tomllib.loads(kept)
    assert "# why" in kept
    again = parse_study(kept, FILE)
    assert (again.scale, again.load.threads, again.design.blocks) == (study.scale, (2,), 9)
    assert parse_study(former(kept), FILE, measured=True) == again


def test_hashes_of_folders_are_those_of_the_former_name() -> None:
    """The hash is that of the version that knew no scales."""
    text = f'{BARE}\n[profile.small]\n"load.threads" = [2]\n'
    assert (
        study_hash(parse_study(text, FILE, scale="small"))
        == "bfab5fba4f6298b8e1fb5a7e74e11bfb6f062e9075bdefad1e9ee0012e734c5d"
    )


def test_a_text_without_a_chosen_scale_is_kept_byte_for_byte() -> None:
    text = f"{BARE}\n[profile.small]\nload.threads = [2]\n"
    assert changed_text(text, FILE, {}).kept == text


def test_complaints_have_the_line_of_the_former_name() -> None:
    text = f'{BARE}\n[profile.small]\n"load.threads" = [0]\n'
    line = text.splitlines().index('"load.threads" = [0]') + 1
    with pytest.raises(InputError, match=rf'^a\.toml:{line}: scale\.small\."load\.threads"'):
        parse_study(text, FILE)


@pytest.mark.parametrize(
    "text",
    [
        f"{BARE}\n[profile.small]\nload.threads = [2]\n[scale.big]\nload.threads = [4]\n",
        BARE.replace('name = "a"', 'name = "a"\nscale = "small"\nprofile = "small"', 1),
    ],
)
def test_both_names_at_one_place_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r'a\.toml: "profile" is the former name of "scale": write "scale"'):
        parse_study(text, FILE)


def test_a_campaign_with_the_former_name(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    text = '[campaign]\nname = "c"\n[[study]]\nfile = "a.toml"\n[[study]]\nfile = "a.toml"\n{} = "small"\n'
    found = []
    for name in ("profile", "scale"):
        file.write_text(text.format(name), encoding="utf-8")
        found.append(read_campaign(file))
    assert found[0] == found[1]
    assert [one.scale for one in found[0].studies] == [None, "small"]
    file.write_text(text.format("profile") + 'scale = "small"\n', encoding="utf-8")
    with pytest.raises(InputError, match="is the former name"):
        read_campaign(file)


@pytest.mark.parametrize("given", [["--profile", "small"], ["--profile=small"], ["--scale", "small"], []])
def test_the_option_of_a_command_line(given: list[str]) -> None:
    @click.command()
    @scale_option
    def verb(scale: str | None) -> None:
        click.echo(repr(scale))

    assert CliRunner().invoke(verb, given).output == ("'small'\n" if given else "None\n")
    assert "--profile" not in CliRunner().invoke(verb, ["--help"]).output
