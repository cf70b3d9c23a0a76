"""The command line: one file for each verb, without logic of its own. Every kind of error has its exit
code.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from assay.base.errors import AssayError, Interrupted
from assay.front.terminal import (
    OutputClosed,
    forget_output,
    json_printed,
    make_streams_safe,
    output_is_gone,
    say,
)

_STOPPED = "interrupted"


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one verb and ends the process. `arguments` do not include the program's name."""
    from assay.front.cli.hang_up import HUNG_UP, HangUp
    from assay.front.cli.threads import speak_for_threads

    given = _given() if arguments is None else list(arguments)
    make_streams_safe()
    speak_for_threads(given)
    with HangUp() as hang_up:
        try:
            code = exit_code_of(given)
        except OSError:
            if not hang_up.came:
                raise
            code = HUNG_UP
        if hang_up.came:
            code = hang_up.last_words()
    try:
        sys.stdout.flush()
    except OSError:
        forget_output()
        code = code or OutputClosed.exit_code
    sys.exit(code)


def _given() -> list[str]:
    """Returns the words of the command line; a program named `sysbench` is the verb of this name."""
    from assay.front.compat.sysbench import has_own_name

    words = sys.argv[1:]
    return ["sysbench", *words] if has_own_name() else words


def exit_code_of(arguments: Sequence[str]) -> int:
    """Runs one verb and returns the exit code; errors go to standard error.

    With `--json`, an error is printed on standard output too, as the object `error`, unless the verb has
    printed an object of its own: a program that reads the output finds one in any case.
    """
    from assay.front.cli.complaint import complain, complain_as_json

    printed = json_printed()
    try:
        return _carried_out(arguments)
    except OutputClosed as closed:
        return closed.exit_code
    except AssayError as error:
        told = error
    if told.message == _STOPPED:
        say(_STOPPED, err=True)
    else:
        complain(told)
    if "--json" in arguments and json_printed() == printed:
        complain_as_json(told)
    return told.exit_code


def _carried_out(arguments: Sequence[str]) -> int:
    """Runs one verb and returns its exit code. Whatever ends it is raised as an AssayError."""
    from assay.front.cli.group import assay

    try:
        code = assay.main(list(arguments), prog_name="assay", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        from assay.front.cli.complaint import as_input_error

        raise as_input_error(error) from error
    except (KeyboardInterrupt, click.Abort):
        raise Interrupted(_STOPPED) from None
    except AssayError:
        raise
    except BrokenPipeError as error:
        if output_is_gone():
            raise OutputClosed from None
        raise _crash(error, arguments) from error
    except Exception as error:
        raise _crash(error, arguments) from error


def _crash(error: BaseException, arguments: Sequence[str]) -> AssayError:
    from assay.front.cli.crash import as_ours

    return as_ours(error, arguments)
