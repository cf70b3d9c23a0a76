"""Prints an error: what is wrong, what to do, the evidence. It goes to standard error, and to standard output
as an object where a program asked for JSON.
"""

from __future__ import annotations

import contextlib
from typing import Any

import click

from assay.base.errors import AssayError, InputError
from assay.base.printable import line, shortened
from assay.front.terminal import OutputClosed, console, say_json


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


def complain_as_json(error: AssayError) -> None:
    """Prints an error as the JSON object that stands where the result would."""
    with contextlib.suppress(OSError, OutputClosed):  # the exit code says it, too
        say_json({"error": error_object(error)})


def error_object(error: AssayError) -> dict[str, Any]:
    """Returns an error for programs: its kind and exit code as the reference of exit codes has them, and what
    people read.
    """
    kinds = (kind for kind in type(error).__mro__ if kind.__base__ is AssayError)
    return {
        "kind": next(kinds, AssayError).__name__,
        "exit_code": error.exit_code,
        "message": error.message,
        "hint": error.hint,
        "detail": error.detail,
        "server_code": error.code,
    }


def as_input_error(error: click.ClickException) -> AssayError:
    """Returns click's usage error in the form of every other error."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    kind = InputError if error.exit_code == InputError.exit_code else AssayError
    converted = kind(error.format_message(), hint=f"see: {context.command_path} --help" if context else None)
    converted.exit_code = error.exit_code
    return converted
