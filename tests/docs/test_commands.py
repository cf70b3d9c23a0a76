"""Commands that the pages show exist: make targets, verbs, their options."""

from __future__ import annotations

import re

import click
import pytest
from assay.cli.general_options import SYSBENCH_NAMES, general_options
from assay.cli.group import assay
from assay.cli.verbs import VERBS
from assay.cli.workload_options import options_of
from assay.run.engine import workload_catalogue
from pages import PAGES, ROOT, Command, commands, name_of, section

CLI = ROOT / "docs/reference/cli.md"
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
SHOWN = [command for page in PAGES for command in commands(page)]


def _of(program: str) -> list[Command]:
    return [command for command in SHOWN if command.words[0].rpartition("/")[2] == program]


def _verb(name: str) -> click.Command:
    found = assay.get_command(click.Context(assay), name)
    assert found is not None
    return found


def _options(command: click.Command) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts if option.startswith("--")}


@pytest.mark.parametrize("command", _of("make"), ids=str)
def test_make_targets_exist(command: Command) -> None:
    for word in command.words[1:]:
        assert "=" in word or word in TARGETS


@pytest.mark.parametrize("command", _of("assay"), ids=str)
def test_verbs_and_options_exist(command: Command) -> None:
    verb, *words = command.words[1:]
    if verb.startswith("-"):
        assert verb in {"--version", "--help"}
        return
    assert verb in {verb.name for verb in VERBS}
    known = _options(_verb(verb)) | {"--help"}
    if verb == "server":
        group = _verb(verb)
        assert isinstance(group, click.Group)
        known |= _options(group.commands[words[0]])
    if verb == "bench" and not words[0].startswith("-"):
        known |= _bench_options(words[0])
    given = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert given <= known
    for word in words:
        if word.startswith("studies/"):
            assert (ROOT / word).is_file()


def _bench_options(workload: str) -> set[str]:
    entries = {entry["name"]: entry for entry in workload_catalogue()} | {"WORKLOAD": {"options": {}}}
    own = options_of(entries[workload]["options"])
    return {option for parameter in (*own, *general_options()) for option in parameter.opts}


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_every_verb_and_option_is_in_the_reference(verb: str) -> None:
    heading = next(
        line.removeprefix("## ")
        for line in CLI.read_text().splitlines()
        if re.match(rf"## assay {verb}\b", line)
    )
    text = section(CLI, heading)
    command = _verb(verb)
    options = _options(command)
    if verb == "bench":
        options = {option for parameter in general_options() for option in parameter.opts}
        options |= {f"--{name}" for name in SYSBENCH_NAMES}
    if isinstance(command, click.Group) and verb == "server":
        for name, part in command.commands.items():
            assert f"`assay server {name}" in text
            options |= _options(part)
    for option in options - {"--help"}:
        assert re.search(rf"`{option}\b", text), f"{name_of(CLI)}: {option} of assay {verb} is missing"


def test_the_reference_knows_no_option_that_is_gone() -> None:
    shown = set(re.findall(r"`(--[a-z-]+)", CLI.read_text()))
    known = {"--version", "--help", *(f"--{name}" for name in SYSBENCH_NAMES)}
    for verb in VERBS:
        command = _verb(verb.name)
        known |= _options(command)
        if verb.name == "server" and isinstance(command, click.Group):
            known |= {option for part in command.commands.values() for option in _options(part)}
    known |= {option for parameter in general_options() for option in parameter.opts}
    assert shown <= known
