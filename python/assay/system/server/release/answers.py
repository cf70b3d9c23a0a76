"""Keeps what a binary has answered, for the next command: the same binary answers the same question alike."""

from __future__ import annotations

import hashlib
import os
import resource
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec

from assay.base.home import home

_LARGEST_BYTES = 4 * 2**20
_Answer = TypeVar("_Answer")


class Answers:
    """The answers of one binary in `$ASSAY_HOME/answers`, a line of JSON each.

    They hold for one state of the binary's files (inode, size, time of change) and of what its default values
    follow (processors, memory, limit of open files): in another, the binary is asked again. A file that
    cannot be read or written keeps nothing.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], files: Sequence[Path]) -> None:
        self._identity = (
            *command,
            *(f"{name}={value}" for name, value in environment.items()),
            *map(_state, files),
            str(len(os.sched_getaffinity(0))),
            str(os.sysconf("SC_PHYS_PAGES")),
            str(resource.getrlimit(resource.RLIMIT_NOFILE)),
            str(os.geteuid()),
        )

    @cached_property
    def _path(self) -> Path:
        name = hashlib.sha256("\0".join(self._identity).encode()).hexdigest()[:24]
        return home() / "answers" / f"{name}.jsonl"

    def get(self, question: Sequence[str], kind: type[_Answer]) -> _Answer | None:
        """Returns the answer to these arguments of the command; None when it has not been kept."""
        asked = msgspec.json.encode(question)
        with suppress(OSError):
            for line in self._path.read_bytes().splitlines():
                given, _, answer = line.partition(b"\t")
                if given == asked:
                    with suppress(msgspec.MsgspecError):  # a torn line
                        return msgspec.json.decode(answer, type=kind)
        return None

    def keep(self, question: Sequence[str], answer: object) -> None:
        """Adds an answer, unless there is no home; a file that has become large starts anew."""
        line = msgspec.json.encode(question) + b"\t" + msgspec.json.encode(answer) + b"\n"
        with suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)  # in a home that another has made
            with self._path.open("ab") as out:
                if out.tell() > _LARGEST_BYTES:
                    out.truncate(0)
                out.write(line)


def _state(file: Path) -> str:
    try:
        at = file.stat()
    except OSError:
        return "absent"
    return str((at.st_dev, at.st_ino, at.st_size, at.st_mtime_ns))
