"""Type, reader and writer of `control.json`: what a person asks of the lab that carries a study out.

The lab reads the file between runs. A request names the process that it is meant for, so that one that was
left behind stops no later lab.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from assay.base.decoding import json_as
from assay.design.folder.paths import ResultsFolder

FORMAT = 1

Request = Literal["stop", "pause", "go-on"]


class Control(msgspec.Struct, frozen=True, kw_only=True):
    """The latest request. `stop` and `pause` take effect when the current run is over; `go-on` withdraws
    them.
    """

    format: int = FORMAT
    request: Request
    pid: int  # of the lab that it is meant for
    start_ticks: int
    at_wall_ns: int


def ask(folder: ResultsFolder, control: Control) -> None:
    """Leaves a request for the lab, in place of an earlier one."""
    folder.control.write_whole(msgspec.json.format(msgspec.json.encode(control)))


def asked_of(folder: ResultsFolder, pid: int, start_ticks: int) -> Request | None:
    """Returns what is asked of this process; None where nothing is, or the file cannot be read."""
    try:
        control = json_as(folder.control.read_bytes(), Control)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return control.request if (control.pid, control.start_ticks) == (pid, start_ticks) else None
