"""Commands that the pages show exist: make targets, verbs, their options."""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest
from assay.design.study import SQL
from assay.front.cli.group import assay
from assay.front.cli.verbs import VERBS
from assay.front.cli.workload_group import WorkloadGroup
from assay.front.compat.registry import TOOLS
from assay.front.compat.sysbench import ScriptCommand
from assay.front.compat.sysbench.names import REFUSED, SYSBENCH_NAMES
from each import each
from pages import PAGES, ROOT, Command, commands, name_of, section

CLI = ROOT / "docs/reference/cli.md"
MY_QUERIES = ROOT / "docs/guide/my-queries.md"
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
# verbs with commands of their own
GROUPS = {
    "baseline",
    "campaign",
    "server",
    "data",
    "dataset",
    "sysbench",
    "fleet",
    "host",
    "calc",
    "own",
    "published",
    "site",
}
SHOWN = [command for page in PAGES for command in commands(page)]


def _of(program: str) -> list[Command]:
    return [command for command in SHOWN if command.words[0].rpartition("/")[2] == program]


def _verb(name: str) -> click.Command:
    found = assay.get_command(click.Context(assay), name)
    assert found is not None
    return found


def _options(command: click.Command) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts if option.startswith("--")}


def test_make_targets_exist() -> None:
    def exists(command: Command) -> None:
        for word in command.words[1:]:
            assert "=" in word or word in TARGETS

    each(_of("make"), exists)


def test_verbs_and_options_exist() -> None:
    each(_of("assay"), _exists)


def _exists(command: Command) -> None:
    verb, *words = command.words[1:]
    if verb.startswith("-"):
        assert verb in {"--version", "--help"}
        return
    assert verb in {verb.name for verb in VERBS}
    known = _options(_verb(verb)) | {"--help"}
    if verb in GROUPS:
        group = _verb(verb)
        assert isinstance(group, click.Group)
        chosen = group.get_command(click.Context(group), words[0])
        assert chosen is not None
        if isinstance(chosen, ScriptCommand):  # other options are the script's own
            return
        known |= _options(chosen)
    if isinstance(_verb(verb), WorkloadGroup) and not words[0].startswith("-"):
        known |= _workload_options(verb, words[0])
    given = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert given <= known
    for word in words:
        if word.startswith("studies/"):
            assert (ROOT / word).is_file()


def _workload_options(verb: str, workload: str) -> set[str]:
    """Options of the verb's command for one workload; `WORKLOAD` has those that all have."""
    group = _verb(verb)
    assert isinstance(group, WorkloadGroup)
    if workload.startswith(SQL):  # the file that the page shows, with its files beside it
        here = TemporaryDirectory()
        with here, chdir(here.name):
            shown = re.findall(r"```sql\n(.*?)```", MY_QUERIES.read_text(), re.S)[0]
            Path(workload.removeprefix(SQL)).write_text(shown)
            for name in ("schema.sql", "rows.sql"):
                Path(name).write_text("")
            return _options(group.get_command(click.Context(group), workload) or group)
    if workload == "WORKLOAD":
        return _options(group.make({"name": workload, "summary": "", "options": {}, "ledger": True}))
    command = group.get_command(click.Context(group), workload)
    assert command is not None
    return _options(command)


def _commands(group: click.Group) -> dict[str, click.Command]:
    """The commands of a verb; `SCRIPT` stands for all scripts of sysbench."""
    return {**group.commands, **({"SCRIPT": ScriptCommand("SCRIPT")} if group.name == "sysbench" else {})}


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
    if isinstance(command, WorkloadGroup):
        options |= _workload_options(verb, "WORKLOAD")
        options |= {option for part in command.commands.values() for option in _options(part)}
    if verb == "bench":
        options |= {f"--{name}" for name in [*SYSBENCH_NAMES, *REFUSED]}
    if isinstance(command, click.Group) and verb in GROUPS:
        for name, part in _commands(command).items():
            assert f"`assay {verb} {name}" in text
            options |= _options(part)
    for option in options - {"--help"}:
        assert re.search(rf"`{option}\b", text), f"{name_of(CLI)}: {option} of assay {verb} is missing"


def test_the_reference_knows_no_option_that_is_gone() -> None:
    shown = set(re.findall(r"`(--[a-z0-9-]+)", CLI.read_text()))
    known = {"--help", *_options(assay), *(f"--{name}" for name in [*SYSBENCH_NAMES, *REFUSED])}
    for verb in VERBS:
        command = _verb(verb.name)
        known |= _options(command)
        if isinstance(command, WorkloadGroup) or (verb.name in GROUPS and isinstance(command, click.Group)):
            known |= {option for part in _commands(command).values() for option in _options(part)}
        if isinstance(command, WorkloadGroup):
            for workload in ("WORKLOAD", *TOOLS):
                known |= _workload_options(verb.name, workload)
    assert shown <= known
