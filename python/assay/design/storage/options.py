"""The options of fio's job files that Assay carries out, each with the function that reads its value.

An option that changes no load here is accepted and said (`without_effect`). Any other option is an error that
names it: an option silently ignored would change what is measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.base.errors import InputError
from assay.base.format.job import IoKind, Order
from assay.design.storage import sizes
from assay.design.storage.sections import JobOption, Section
from assay.design.storage.without_effect import REFUSED, WITHOUT_EFFECT
from assay.design.study import did_you_mean

ENGINES: Mapping[str, IoKind] = {
    "psync": "psync",
    "sync": "psync",
    "libaio": "libaio",
    "io_uring": "io_uring",
    "mmap": "mmap",
    "null": "null",
}
"""The engine's I/O engine by fio's name. `sync` seeks before each call; the call itself is that of
`psync`.
"""

READ_SHARES: Mapping[str, tuple[Order, float | None]] = {
    "read": ("sequential", 1.0),
    "write": ("sequential", 0.0),
    "randread": ("random", 1.0),
    "randwrite": ("random", 0.0),
    "rw": ("sequential", None),
    "readwrite": ("sequential", None),
    "randrw": ("random", None),
}


_COLON = re.compile(r"(?<!\\):")
_FOR_EACH_JOB = re.compile(r"\$(?:jobnum|filenum|clientuid)\b")
"""What fio fills in for each worker or file."""


@dataclass(frozen=True)
class OptionReader:
    """The reader of one option's value, and the value of the name alone (None: the option needs a value)."""

    read: Callable[[str], Any]
    bare: Any = None


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(
                f"expected one of {', '.join(words)}{did_you_mean(text, words).partition('; known')[0]}"
            )
        return text

    return read


def _file_names(text: str) -> list[str]:
    """Returns the files of a job, which colons separate; in a name, a colon has a backslash before it."""
    names = [name.replace("\\:", ":") for name in _COLON.split(text) if name]
    if not names or "\0" in text:
        raise ValueError("expected the names of files, separated by colons")
    if found := next((name for name in names if _FOR_EACH_JOB.search(name)), None):
        raise ValueError(f"{found} cannot be filled in: give each section its filename, or leave it out")
    return names


def _directory(text: str) -> str:
    if len(_COLON.split(text)) > 1:
        raise ValueError("several directories for the workers of a job are not supported: use two sections")
    return text.replace("\\:", ":")


def _synced(text: str) -> str:
    return {"0": "none", "none": "none", "1": "sync", "sync": "sync", "dsync": "dsync"}[
        _one_of("0", "1", "none", "sync", "dsync")(text)
    ]


def _rates(text: str) -> tuple[float | None, float | None]:
    """Returns the limits of reads and of writes; None for a direction without a limit."""

    def one(part: str) -> float | None:
        if not part:
            return None
        found = float(sizes.size(part))
        if found <= 0:
            raise ValueError("a rate must be above 0")
        return found

    read, write = sizes.both(text)
    return one(read), one(write)


_SWITCH = OptionReader(sizes.switch, bare=True)
_SIZE, _WHOLE, _COUNT, _TIME, _TEXT = (
    OptionReader(sizes.size),
    OptionReader(sizes.whole),
    OptionReader(sizes.count),
    OptionReader(sizes.seconds),
    OptionReader(str),
)

OPTIONS: Mapping[str, OptionReader] = {
    "rw": OptionReader(_one_of(*READ_SHARES)),
    "rwmixread": _WHOLE,
    "rwmixwrite": _WHOLE,
    "bs": OptionReader(sizes.block_sizes),
    "bsrange": OptionReader(sizes.block_ranges),
    "bssplit": OptionReader(sizes.block_splits),
    "size": _SIZE,
    "io_size": _SIZE,
    "filesize": _SIZE,
    "offset": _SIZE,
    "number_ios": _COUNT,
    "loops": _WHOLE,
    "nrfiles": OptionReader(sizes.files),
    "filename": OptionReader(_file_names),
    "directory": OptionReader(_directory),
    "file_service_type": OptionReader(_one_of("roundrobin", "sequential")),
    "unlink": _SWITCH,
    "overwrite": _SWITCH,
    "invalidate": _SWITCH,
    "ioengine": OptionReader(_one_of(*ENGINES)),
    "iodepth": _WHOLE,
    "iodepth_batch": _WHOLE,
    "iodepth_batch_complete_min": _WHOLE,
    "iodepth_batch_complete_max": _WHOLE,
    "iodepth_low": _WHOLE,
    "direct": _SWITCH,
    "buffered": _SWITCH,
    "sync": OptionReader(_synced, bare="sync"),
    "fixedbufs": _SWITCH,
    "registerfiles": _SWITCH,
    "hipri": _SWITCH,
    "norandommap": _SWITCH,
    "random_distribution": OptionReader(sizes.distribution),
    "randrepeat": _SWITCH,
    "randseed": _COUNT,
    "runtime": _TIME,
    "time_based": _SWITCH,
    "ramp_time": _TIME,
    "numjobs": OptionReader(sizes.workers),
    "thread": _SWITCH,
    "group_reporting": _SWITCH,
    "new_group": _SWITCH,
    "stonewall": _SWITCH,
    "rate": OptionReader(_rates),
    "rate_iops": OptionReader(_rates),
    "rate_process": OptionReader(_one_of("linear", "poisson")),
    "thinktime": OptionReader(sizes.microseconds),
    "thinktime_blocks": _WHOLE,
    "fsync": _WHOLE,
    "fdatasync": _WHOLE,
    "end_fsync": _SWITCH,
    "verify": OptionReader(_one_of("0", "crc32", "crc32c")),
    "do_verify": _SWITCH,
    "verify_only": _SWITCH,
    "verify_state_save": _SWITCH,
    "verify_state_load": _SWITCH,
    "write_bw_log": OptionReader(str, bare=""),
    "write_iops_log": OptionReader(str, bare=""),
    "description": _TEXT,
}

ALIASES: Mapping[str, str] = {
    "readwrite": "rw",
    "blocksize": "bs",
    "blocksize_range": "bsrange",
    "io_limit": "io_size",
    "nr_files": "nrfiles",
    "timeout": "runtime",
    "iodepth_batch_submit": "iodepth_batch",
    "iodepth_batch_complete": "iodepth_batch_complete_min",
    "wait_for_previous": "stonewall",
}


KNOWN = (*OPTIONS, *ALIASES, *WITHOUT_EFFECT)
"""Every option that a job file may have here."""


@dataclass(frozen=True)
class OptionFault:
    """A wrong option: its place, what is wrong, and what to do where the words do not say it."""

    place: str
    what: str
    hint: str | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


def read_options(section: Section, faults: list[OptionFault]) -> dict[str, Any]:
    """Returns the values of a section by option, in the order of their last values, which count. What is
    wrong is added to `faults`.
    """
    values: dict[str, Any] = {}
    for entry in section.entries:
        name = ALIASES.get(entry.name, entry.name)
        known = OPTIONS.get(name)
        values.pop(name, None)  # the order is that in which options apply
        if known is None:
            if (fault := _without_effect(entry)) is not None:
                faults.append(fault)
        elif entry.value is None:
            if known.bare is None:
                faults.append(OptionFault(entry.place, f"{entry.name} needs a value: {entry.name}=…"))
            values[name] = known.bare
        else:
            try:
                values[name] = known.read(entry.value)
            except ValueError as error:
                faults.append(OptionFault(entry.place, f"{entry.name}={entry.value}: {error}"))
    return values


def refuse(faults: list[OptionFault], where: str) -> None:
    """Raises one `InputError` for all `faults`, each with its place; none for an empty list."""
    once = list(
        dict.fromkeys(faults)
    )  # a wrong option of [global] is one fault, however many jobs inherit it
    if len(once) == 1:
        raise InputError(str(once[0]), hint=once[0].hint)
    if once:
        raise InputError(
            f"{where}: {len(once)} options are wrong",
            detail="\n".join(map(str, once)),
            hint=next((fault.hint for fault in once if fault.hint), None),
        )


def said_of(section: Section) -> dict[str, str]:
    """Returns the options of a section that change no load here, each with the reason."""
    return {
        entry.name: WITHOUT_EFFECT[entry.name].why
        for entry in section.entries
        if entry.name in WITHOUT_EFFECT
    }


def _without_effect(entry: JobOption) -> OptionFault | None:
    """Returns the fault of an option that is not carried out; None where it changes no load here."""
    harmless = WITHOUT_EFFECT.get(entry.name)
    written = entry.name if entry.value is None else f"{entry.name}={entry.value}"
    if harmless is not None and (harmless.values is None or entry.value in harmless.values):
        return None
    if entry.name in REFUSED:
        return OptionFault(entry.place, f"{written} is not supported: {REFUSED[entry.name]}")
    if harmless is not None:
        values = " or ".join(f"{entry.name}={value}" for value in harmless.values or ())
        return OptionFault(entry.place, f"{written} is not supported, only {values}: {harmless.why}")
    return OptionFault(
        entry.place,
        f"{entry.name} is not supported{did_you_mean(entry.name, KNOWN).partition('; known')[0]}",
        hint="assay manual reference/storage lists the supported options; none is left out in silence",
    )
