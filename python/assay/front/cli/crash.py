"""Handles an unexpected error: one sentence, and a file with everything that helps to find its cause."""

from __future__ import annotations

import errno
import os
import platform
import re
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.base.errors import AssayError, HostError, InputError

EXIT_CODE = 70
"""The exit code EX_SOFTWARE of sysexits.h, for a fault of the program itself."""

_OF_THE_MACHINE = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
)
"""Error codes of the system whose message needs no file name to be understood."""

_OF_ANOTHER_KIND = frozenset((errno.EISDIR, errno.ELOOP))
"""Error codes of a name that a directory or a link has, and that a file should have."""

_WORD = r"[\w.-]*(?:password|passwd|pwd|secret|token)[\w.-]*"
_SECRETS = (
    (re.compile(r"(://[^:/@\s]*):[^@\s]*@"), r"\1:***@"),
    (re.compile(rf"({_WORD}\s*=\s*)[^\s'\"]+", re.IGNORECASE), r"\1***"),
)
_SECRET_OPTION = re.compile(rf"--?{_WORD}", re.IGNORECASE)


class Crash(AssayError):
    """A fault of Assay itself; `file` has the details."""

    exit_code = EXIT_CODE


def as_ours(error: BaseException, arguments: Sequence[str]) -> AssayError:
    """Returns a system error in its own words; any other error as a crash, with its file written."""
    if isinstance(error, OSError) and (error.filename is not None or error.errno in _OF_THE_MACHINE):
        what = "write" if error.filename is None else f"use {_named(error)}"
        if error.errno in _OF_ANOTHER_KIND:
            return InputError(
                f"cannot {what}: {(error.strerror or str(error)).lower()}",
                hint="a file of assay's has this name: move away what is there",
            )
        return HostError(
            f"cannot {what}: {(error.strerror or str(error)).lower()}",
            hint="results (--results) and servers ($ASSAY_HOME) need folders that can be written, with room",
        )
    file = write_report(error, arguments)
    first = next(iter(str(error).splitlines()), "")
    said = f"{type(error).__name__}: {without_secrets(first)}" if first else type(error).__name__
    return Crash(
        f"assay failed unexpectedly ({said})" + (f"; the details are in {file}" if file else ""),
        hint="this is a fault of assay: please report it with that file. Finished runs are kept.",
        detail=None if file else without_secrets(_trace(error)),
    )


def _named(error: OSError) -> str:
    name = error.filename
    return os.fsdecode(name) if isinstance(name, bytes | str) else str(name)


def write_report(error: BaseException, arguments: Sequence[str]) -> Path | None:
    """Writes the file in the first directory that accepts it, and returns its path; None where none does."""
    text = without_secrets(_text(error, arguments))
    name = f"assay-crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for place in _places(arguments):
        try:
            if not place.is_dir():
                continue
            handle = os.open(place / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as out:
                if os.fstat(handle).st_uid != os.geteuid():  # somebody made it before us, to read it
                    continue
                out.write(text)
        except OSError:
            continue
        return place / name
    return None


def without_secrets(text: str) -> str:
    """Returns the text with passwords of addresses and settings as `***`."""
    for pattern, shown in _SECRETS:
        text = pattern.sub(shown, text)
    return text


def _text(error: BaseException, arguments: Sequence[str]) -> str:
    from assay.base.version import VERSION

    system = " ".join(os.uname())
    return (
        f"assay {VERSION}, Python {platform.python_version()}, {system}\n"
        f"at {time.strftime('%Y-%m-%dT%H:%M:%S%z')} in {Path.cwd()}\n"
        f"command line: assay {' '.join(_hidden(arguments))}\n\n"
        f"{_trace(error)}"
    )


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


def _hidden(arguments: Sequence[str]) -> Iterator[str]:
    """Yields the arguments, with the values of password options as `***`."""
    secret = False
    for argument in arguments:
        yield "***" if secret else argument
        secret = bool(_SECRET_OPTION.fullmatch(argument)) and argument != "--ask-password"


def _places(arguments: Sequence[str]) -> Iterator[Path]:
    """Yields the directories for the file: the results folder where one is given, the lab's home, the
    system's temporary directory.
    """
    given = list(arguments)
    for at, argument in enumerate(given):
        if argument == "--results" and at + 1 < len(given):
            yield Path(given[at + 1])
        elif argument.startswith("--results="):
            yield Path(argument.partition("=")[2])
    if given[:1] == ["report"] or given[:1] == ["show"]:
        yield from (Path(argument) for argument in given[1:] if not argument.startswith("-"))
    try:
        from assay.system.server import home

        yield home()
    except Exception:  # this is the last resort: nothing here may fail
        pass
    yield Path(tempfile.gettempdir())
