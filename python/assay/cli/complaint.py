"""How an error looks to a person: what is wrong, what to do, the evidence. On standard error."""

from __future__ import annotations

import click

from assay.errors import AssayError


def complain(error: AssayError) -> None:
    """error: …, hint: …, and the detail as it is."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    console.print(Text.assemble(("error: ", "bold red"), error.message))
    if error.detail:
        console.print(Text.assemble(*((f"  {line}\n", "dim") for line in error.detail.splitlines())), end="")
    if error.hint:
        console.print(Text.assemble(("hint: ", "bold cyan"), error.hint))


def as_input_error(error: click.ClickException) -> AssayError:
    """What click says about the command line, in the same form as every other error."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    converted = AssayError(
        error.format_message(), hint=f"see: {context.command_path} --help" if context else None
    )
    converted.exit_code = error.exit_code
    return converted
