"""Prints an error on standard error: what is wrong, what to do, the evidence."""

from __future__ import annotations

import contextlib

import click

from assay.base.errors import AssayError
from assay.base.printable import line, shortened
from assay.front.terminal import console


def complain(error: AssayError) -> None:
    """Prints error, hint and detail. Control characters from servers and files are escaped, and error and
    hint are one line each.
    """
    from rich.text import Text

    out = console(stderr=True)
    with contextlib.suppress(OSError):  # a standard error that is full or gone must not hide the exit code
        out.print(Text.assemble(("error: ", "bold red"), line(error.message)))
        if error.detail:
            lines = shortened(error.detail).splitlines()
            out.print(Text.assemble(*((f"  {line(one)}\n", "dim") for one in lines)), end="")
        if error.hint:
            out.print(Text.assemble(("hint: ", "bold cyan"), line(error.hint)))


def as_input_error(error: click.ClickException) -> AssayError:
    """Returns click's usage error in the form of every other error."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    converted = AssayError(
        error.format_message(), hint=f"see: {context.command_path} --help" if context else None
    )
    converted.exit_code = error.exit_code
    return converted
