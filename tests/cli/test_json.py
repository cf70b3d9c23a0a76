"""Programs read what every verb prints, its errors too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from assay.base import errors
from assay.front.cli.group import assay
from assay.front.cli.verbs import VERBS
from assay.front.cli.workload_group import WorkloadGroup
from shell import QUICKSTART, Shell

WITHOUT = {
    ("serve",): "runs until Ctrl-C",
    ("fleet", "agent"): "runs until Ctrl-C",
    ("fleet", "head"): "runs until it is left",
    ("fleet", "join"): "runs until it is left",
    ("fleet", "leave"): "prints what it ended, a line each",
    ("server", "shell"): "is a client",
    ("schema",): "prints JSON in any case",
}
"""Commands without --json, and why."""
Words = tuple[str, ...]


def leaves(command: click.Command, words: Words) -> Iterator[tuple[Words, click.Command]]:
    """The commands that do something, with the words that call them. Those of sysbench print its text."""
    if words == ("sysbench",):
        return
    if isinstance(command, WorkloadGroup):
        yield words, command.make({"name": "any", "summary": "", "options": {}, "ledger": True})
    for name, below in command.commands.items() if isinstance(command, click.Group) else ():
        yield from leaves(below, (*words, name))
    if not isinstance(command, click.Group):
        yield words, command


def every_leaf() -> list[tuple[Words, click.Command]]:
    context = click.Context(assay)
    verbs = ((verb.name, assay.get_command(context, verb.name)) for verb in VERBS)
    return [leaf for name, verb in verbs if verb is not None for leaf in leaves(verb, (name,))]


def test_every_command_that_ends_by_itself_has_the_option() -> None:
    lacking = {
        words for words, command in every_leaf() if not any("--json" in one.opts for one in command.params)
    }
    assert lacking == set(WITHOUT)


def test_a_usage_error_of_every_command_is_an_object(shell: Shell) -> None:
    asked = [words for words, command in every_leaf() if words not in WITHOUT and words != ("bench",)]
    assert len(asked) > 40
    for words in [*asked, ("bench", "oltp_read_only"), ("no-such-verb",), ("server", "no-such")]:
        ended = shell(*words, "--json", "--no-such-option")
        told = json.loads(ended.out)["error"]
        assert (ended.code, told["exit_code"], told["kind"]) == (2, 2, "InputError"), words
        assert f"error: {told['message']}" in ended.err
    assert shell("plan", "--no-such-option").out == ""


@pytest.mark.parametrize("kind", [errors.AssayError, *errors.AssayError.__subclasses__(), KeyboardInterrupt])
def test_an_error_of_every_kind_is_an_object(
    kind: type[BaseException], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def main(*arguments: object, **options: object) -> None:
        raise (
            kind("no \x1b[2J") if kind is KeyboardInterrupt else kind("no \x1b[2J", hint="yes", detail="a\nb")
        )

    monkeypatch.setattr(assay, "main", main)
    ended = shell("run", "--json")
    told = json.loads(ended.out)["error"]
    assert told["exit_code"] == ended.code
    assert "\x1b" not in ended.out
    if kind is not KeyboardInterrupt:
        assert (told["kind"], told["hint"], told["detail"]) == (kind.__name__, "yes", "a\nb")


def test_a_verb_that_has_printed_its_object_prints_no_other(shell: Shell, tmp_path: Path) -> None:
    study = tmp_path / "a.toml"
    study.write_text(QUICKSTART.read_text().replace('use = "mariadb"', 'use = "mariadb@3.23"'))
    ended = shell("plan", study, "--json")
    told = json.loads(ended.out)
    assert told["study"] == "quickstart"
    assert (ended.code, told["error"]["exit_code"], told["error"]["kind"]) == (6, 6, "HostError")
    assert told["error"]["message"] in ended.err


def test_what_verbs_that_make_or_remove_something_print(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    night = tmp_path / "night.toml"
    night.write_text(f'[campaign]\nname = "night"\n[[study]]\nfile = "{QUICKSTART}"\n')

    def told(*words: object) -> dict[str, object]:
        found = json.loads(shell(*words, "--json").out)
        assert isinstance(found, dict)
        return found

    token = tmp_path / "token"
    assert told("fleet", "token", "--token-file", token) == {"file": str(token)}
    assert told("server", "sweep") == {"swept": []}
    assert told("dataset", "rm", "--all")["in_use"] == []
    assert told("server", "stop", "--all") == {"stopped": []}
    planned = told("campaign", "plan", night, "--results", tmp_path / "r")
    (study,) = planned["studies"]
    assert (study["name"], study["done"], study["error"]) == ("quickstart", 0, None)
    assert planned["seconds_left"] == study["seconds_left"] > 0
    assert shell("published", "run", "003", "--scale", "tiny", "--plan", "--json").code == 2
