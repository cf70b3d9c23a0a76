"""Reads the text files that a person names: studies, and what they or a command name beside them."""

from __future__ import annotations

from pathlib import Path

from assay.base.errors import InputError
from assay.base.inner_path import AnyPath
from assay.base.wording import sized


def named_text(path: AnyPath, what: str, most: int) -> str:
    """Returns the text of a file, without a byte order mark. Raises InputError when it cannot be read, is a
    named pipe, or has more than `most` bytes; `what` names its kind: "a study".
    """
    try:
        if (
            isinstance(path, Path) and path.is_fifo() and not path.resolve().is_relative_to("/proc")
        ):  # there: a pipe of the shell's
            raise InputError(f"{path}: cannot be read: {what} must be a regular file, not a named pipe")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RuntimeError) as error:  # a name with a zero byte in it, links in a ring
        raise InputError(f"{str(path)!r}: cannot be read: {error}") from None
    if len(content) > most:
        raise InputError(f"{path}: is larger than {sized(most)}: it is not {what}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        utf16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
        found = "is in UTF-16" if utf16 else f"is not UTF-8 text (line {line})"
        raise InputError(f"{path}: {found}", hint="save it as UTF-8") from None
