"""Writes the manual page assay(1) of what `--help` says of every verb."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc

import click
from assay.base.errors import AssayError
from assay.base.version import VERSION
from assay.front.cli.group import FIRST, TEXT, assay
from assay.front.cli.verbs import GROUPS

PLACE = "usr/share/man/man1/assay.1"
_FILES = (
    ("results/STUDY", "The results of a study, in the folder where the command was given."),
    ("/var/lib/assay", "Datasets, servers that were fetched and private servers, when root measures."),
    ("~/.cache/assay", "The same for any other user."),
)
_VARIABLES = (
    ("ASSAY_HOME", "The directory for datasets and servers, in place of the two above."),
    ("ASSAY_ENGINE", "The binary of the engine, in place of the one that is installed."),
    ("ASSAY_PASSWORD", "The password of a running server."),
    ("NO_COLOR", "Text has no colours."),
)


def man_page() -> str:
    """Returns the page in the language of man(7)."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield f'.TH ASSAY 1 "" "assay {VERSION}" "User Commands"'
    yield from (".SH NAME", f"assay \\- {_roff(_first_words(TEXT[0]))}")
    yield from (".SH SYNOPSIS", ".B assay", ".I VERB", "[\\fIOPTION\\fR]...")
    yield ".SH DESCRIPTION"
    for paragraph in TEXT:
        yield from (".PP", _roff(paragraph))
    yield from _pairs(FIRST)
    context = click.Context(assay, info_name="assay")
    for title, verbs in GROUPS.items():
        yield f".SH {_roff(title.upper())}"
        for verb in verbs:
            command = assay.get_command(context, verb.name)
            assert command is not None
            yield from _command(command, click.Context(command, info_name=verb.name, parent=context))
    yield ".SH EXIT STATUS"
    yield from _pairs(_exit_codes())
    yield ".SH ENVIRONMENT"
    yield from _pairs(_VARIABLES)
    yield ".SH FILES"
    yield from _pairs(_FILES)


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yields a verb with its options, and the commands below it."""
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (f'.SS "{_roff(context.command_path)} {_roff(usage)}"', *_prose(command.help or ""))
    # The option --help stands at the end of every verb; and what has no help of its own is in the usage.
    records = [one.get_help_record(context) for one in command.params]
    yield from _pairs(one for one in records if one and one[1])
    for name, below in _commands_of(command, context):
        yield from _command(below, click.Context(below, info_name=name, parent=context))


def _commands_of(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield name, below


def _prose(text: str) -> Iterator[str]:
    """Yields paragraphs; those after a line of `\\b` keep their lines, as in click's help."""
    for paragraph in re.split(r"\n\s*\n", cleandoc(text.partition("\f")[0])):
        yield ".PP"
        if paragraph.startswith("\b"):
            yield from (".nf", *(_roff(line.rstrip()) for line in paragraph.split("\n")[1:]), ".fi")
        else:
            yield _roff(" ".join(paragraph.split()))


def _pairs(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    for name, text in rows:
        yield from (".TP", f"\\fB{_roff(name)}\\fR", _roff(" ".join(text.split())) or "\\&")


def _exit_codes() -> Iterator[tuple[str, str]]:
    yield "0", "Done."
    kinds: dict[int, type[AssayError]] = {}
    for kind in AssayError.__subclasses__():
        kinds.setdefault(kind.exit_code, kind)
    for code in sorted(kinds):
        yield str(code), _first_sentence(kinds[code].__doc__ or kinds[code].__name__)


def _first_sentence(text: str) -> str:
    return " ".join(re.split(r"(?<=\.)\s", text.strip(), maxsplit=1)[0].split())


def _first_words(sentence: str) -> str:
    """The description of a page's first section: a phrase without the name and without a full stop."""
    return sentence.removeprefix("Assay ").rstrip(".")


def _roff(text: str) -> str:
    """Escapes what roff would take for its own: backslashes, hyphens of names, dots that begin a line."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped
