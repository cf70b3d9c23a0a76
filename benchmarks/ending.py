"""How a program of the benchmarks ends: with the exit codes of Assay."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from assay.base.errors import AssayError
from assay.front.cli.complaint import complain

_INTERRUPTED = 130


def exit_as(main: Callable[[], int]) -> NoReturn:
    """Runs a program and ends the process with its exit code; Assay's errors are printed, without a trace.

    SIGTERM ends it as Ctrl-C does: with what it has started ended, and what it has measured kept.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except AssayError as error:
        complain(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
