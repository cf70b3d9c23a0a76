"""The command line: one file a verb, no logic. Every kind of error leaves by its own exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from assay.errors import AssayError

INTERRUPTED = 130  # 128 + SIGINT, as shells have it


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one verb and ends the process. `arguments` come without the program's name."""
    sys.exit(exit_code_of(sys.argv[1:] if arguments is None else arguments))


def exit_code_of(arguments: Sequence[str]) -> int:
    """Runs one verb; complaints go to standard error."""
    from assay.cli.complaint import as_input_error, complain
    from assay.cli.group import assay

    try:
        code = assay.main(list(arguments), prog_name="assay", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        complain(as_input_error(error))
        return error.exit_code
    except AssayError as error:
        complain(error)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
