"""The manual page has all that `--help` has."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from assay.base.errors import AssayError
from assay.front.cli.group import assay
from assay.front.cli.verbs import VERBS

from scripts.packaging.man import man_page

_MACROS = {".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi", ".B", ".I"}


def _plain(page: str) -> str:
    """What a reader sees of roff."""
    return (
        re.sub(r"\\f[BIR]", "", page)
        .replace("\\(dq", '"')
        .replace("\\-", "-")
        .replace("\\&", "")
        .replace("\\e", "\\")
    )


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            yield from option.opts
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _options(below, click.Context(below, info_name=name, parent=context))


def test_it_has_every_verb_option_and_exit_code() -> None:
    page = man_page()
    assert {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))} <= _MACROS
    shown = _plain(page)
    words = set(re.findall(r"--?[\w-]+", shown))
    context = click.Context(assay, info_name="assay")
    for verb in VERBS:
        assert f'.SS "assay {verb.name}' in shown
        command = assay.get_command(context, verb.name)
        assert command is not None
        assert set(_options(command, context)) <= words, verb.name
    for kind in AssayError.__subclasses__():
        assert f".TP\n{kind.exit_code}\n" in shown
    assert "  assay serve results" in shown.splitlines()  # examples keep their lines
