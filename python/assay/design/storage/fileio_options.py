"""Reads the options of sysbench's fileio from a study, where their names have underscores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assay.base.errors import InputError
from assay.design.storage import sizes
from assay.design.storage.fileio import FILEIO_FLAGS, FILEIO_IO_MODES, FILEIO_MODES, Fileio
from assay.design.study import Scalar, did_you_mean


def size(value: Scalar) -> int:
    """Returns bytes, read from a number or from text such as `16k`."""
    return value if type(value) is int and value > 0 else sizes.size(str(value))


def whole(least: int) -> Callable[[Scalar], int]:
    """Returns a reader of whole numbers from `least` on."""

    def read(value: Scalar) -> int:
        if type(value) is not int or value < least:
            raise ValueError(f"expected a whole number, {least} or more")
        return value

    return read


def among(words: Mapping[str, Any] | tuple[str, ...]) -> Callable[[Scalar], str]:
    """Returns a reader that accepts one of the words."""

    def read(value: Scalar) -> str:
        if value not in words:
            raise ValueError(f"expected one of {', '.join(words)}")
        return str(value)

    return read


def switch(value: Scalar) -> bool:
    """Returns the truth value of true, false, `on` or `off`."""
    if value not in (True, False, "on", "off"):
        raise ValueError("expected true or false")
    return value in (True, "on")


def _flags(value: Scalar) -> tuple[str, ...]:
    flags = tuple(flag.strip() for flag in str(value).split(",") if flag.strip() and value != "none")
    for flag in flags:
        if flag not in FILEIO_FLAGS:
            raise ValueError(f"expected none, or a list of {', '.join(FILEIO_FLAGS)} separated by commas")
    return flags


def ratio(value: Scalar) -> float:
    """Returns a number that must be 0 or more."""
    if isinstance(value, bool | str) or value < 0:
        raise ValueError("expected a number, 0 or more")
    return float(value)


OPTIONS: Mapping[str, Callable[[Scalar], Any]] = {
    "file_test_mode": among(FILEIO_MODES),
    "file_num": whole(1),
    "file_total_size": size,
    "file_block_size": size,
    "file_io_mode": among(FILEIO_IO_MODES),
    "file_async_backlog": whole(1),
    "file_extra_flags": _flags,
    "file_fsync_freq": whole(0),
    "file_fsync_all": switch,
    "file_fsync_end": switch,
    "file_fsync_mode": among(("fsync", "fdatasync")),
    "file_rw_ratio": ratio,
}


def read_fileio(options: Mapping[str, Scalar], directory: Path) -> Fileio:
    """Returns the options, with sysbench's defaults for absent ones. Raises InputError, which names the key,
    for a wrong value.
    """
    found = {}
    for name, value in options.items():
        if name not in OPTIONS:
            raise InputError(f"workload.{name}: fileio has no such option{did_you_mean(name, OPTIONS)}")
        try:
            found[name] = OPTIONS[name](value)
        except ValueError as error:
            raise InputError(f"workload.{name}: {value}: {error}") from error
    if "file_test_mode" not in found:
        raise InputError("workload.file_test_mode is missing", hint=f"one of {', '.join(FILEIO_MODES)}")
    return Fileio(directory=directory, **found)
