"""The command `assay`, which imports a verb's file only when the verb is called, so that help is fast."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from assay.base.errors import HostError
from assay.front.cli.verbs import GROUPS, VERBS, Verb
from assay.front.terminal import OutputClosed, output_is_gone, say

TEXT = (
    "Assay measures MySQL-family servers, and says how far to trust its numbers.",
    "A study says what to vary, what load to drive, which hypotheses to test. Assay runs it on private"
    " servers, block by block in random order. Begin with:",
)
FIRST = (
    ("assay demo", "a first verdict, in three minutes"),
    ("assay run quickstart", "run a study, or continue where it stopped"),
    ("assay init my-study.toml", "write a study of your own to start from"),
)


class NarrowFormatter(click.HelpFormatter):
    """A formatter whose second column keeps room for words on a narrow terminal."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Writes rows of two columns; the first takes a third of the width at most."""
        super().write_dl(rows, min(col_max, max(self.width // 3, 8)), col_spacing)


class NarrowContext(click.Context):
    """The context of every verb, whose help is as wide as the terminal, down to 20 columns, and never wider
    than can be read.
    """

    formatter_class = NarrowFormatter

    def make_formatter(self) -> click.HelpFormatter:
        """Returns the formatter of this context's help."""
        width = min(shutil.get_terminal_size().columns, MOST_COLUMNS)
        return NarrowFormatter(width=max(width - 2, 20))


def _with_manual(command: click.Command, pages: str) -> click.Command:
    """Returns a command whose help is as narrow as the terminal and ends with its pages, and so do the
    commands below it.
    """
    command.context_class = NarrowContext
    command.epilog = pages
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _with_manual(below, pages)
    return command


def _pages(verb: Verb) -> str:
    """Returns the pages about a verb: its options, and what it is about."""
    others = f"; assay manual {verb.manual}" if verb.manual else ""
    return f"Manual: assay manual {verb.name}{others}"


MOST_COLUMNS = 110
_WIDEST = max(len(verb.name) for verb in VERBS)


@contextmanager
def _closed_output() -> Iterator[None]:
    """Turns a closed standard output into OutputClosed before click makes an exit code of it."""
    try:
        yield
    except BrokenPipeError as error:
        if output_is_gone():
            raise OutputClosed from None
        raise HostError(f"a pipe broke: {error}") from error


class VerbGroup(click.Group):
    """The group of all verbs, from the list in `verbs`."""

    context_class = NarrowContext

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parses as click does; a closed standard output ends the program, also while help is printed."""
        with _closed_output():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the verb."""
        with _closed_output():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [verb.name for verb in VERBS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        verb = next((verb for verb in VERBS if verb.name == cmd_name), None)
        if verb is None:
            return None
        command = import_module(f"assay.front.cli.{verb.file or verb.name}").command
        assert isinstance(command, click.Command)
        return _with_manual(command, _pages(verb))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from assay.design.study import did_you_mean

        # Both are the options of these names; `assay help version` shows all help, too.
        if args[0] == "version":
            args = ["--version", *args[1:]]
        if args[0] == "help":
            args = [*(word for word in args[1:] if word not in ("help", "version")), "--help"]
        if args[0].startswith("--"):
            self.make_context(ctx.info_name, args)
            ctx.exit()
        name = args[0]
        if not name.startswith("-") and name not in self.list_commands(ctx):
            known = self.list_commands(ctx)
            near = did_you_mean(name, known).partition("; known")[0]  # the list of verbs is what --help shows
            raise click.UsageError(f'assay has no verb "{name}"{near}', ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for paragraph in TEXT:
            formatter.write_text(paragraph)
            formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl(FIRST)
        for title, verbs in GROUPS.items():
            with formatter.section(title):
                # Of one width, so that the summaries of all groups begin below one another.
                formatter.write_dl([(f"{verb.name:{_WIDEST}}", verb.summary) for verb in verbs])
        formatter.write_paragraph()
        formatter.write_text("assay help VERB, or assay VERB --help, shows an example of each.")


def _version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from assay.base.version import VERSION

        say(f"assay {VERSION}")
        if ctx.params.get("verbose"):
            _say_parts()
        ctx.exit()


def _say_parts() -> None:
    """Prints what a report of a fault should name: the engine's build, and where all parts are."""
    import platform

    from assay.base.carried import PACKAGE
    from assay.design.study import SHIPPED
    from assay.system.engine import engine_build

    build = engine_build()
    say(f"engine   {build.version}: {build.path}")
    say(f"python   {platform.python_version()}: {PACKAGE}")
    say(f"studies  {SHIPPED}")
    system = (platform.system(), platform.release(), platform.machine(), *platform.libc_ver())
    say(f"system   {' '.join(system)}")


assay = VerbGroup(
    "assay",
    params=[
        click.Option(
            ["--verbose"],
            is_flag=True,
            is_eager=True,
            help="With --version: the engine's build, and where everything is.",
        ),
        click.Option(
            ["-V", "-v", "--version"],
            is_flag=True,
            expose_value=False,
            callback=_version,
            help="Print the version.",
        ),
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)
