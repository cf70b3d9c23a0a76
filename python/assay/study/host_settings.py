"""Settings of the machine that a study may have changed: names, values, help. A new one is a line in HOST.

What turns them is in `assay.host.knob`, under the same names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticCustomError

from assay.study.nearest import did_you_mean
from assay.study.values import Scalar, shown

_OPTIONS = re.compile(r"[a-z_]+(,[a-z_]+)*")
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


@dataclass(frozen=True)
class HostSetting:
    """One key under `[host]`; `check` raises ValueError with a sentence for a value that it cannot have."""

    help: str
    schema: dict[str, Any]
    check: Callable[[object], None]


def _whole(help_text: str, least: int, most: int | None = None) -> HostSetting:
    limits = {"minimum": least} | ({} if most is None else {"maximum": most})

    def check(value: object) -> None:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or value < least or (most is not None and value > most):  # type: ignore[operator]
            span = f"from {least}" if most is None else f"from {least} to {most}"
            raise ValueError(f"{shown(value)} is no value here; write a whole number {span}")

    return HostSetting(help_text, {"type": "integer", **limits}, check)


def _word(help_text: str, *words: str) -> HostSetting:
    def check(value: object) -> None:
        if value not in words:
            near = did_you_mean(value, words) if isinstance(value, str) else f"; known: {', '.join(words)}"
            raise ValueError(f"{shown(value)} is no value here{near}")

    return HostSetting(help_text, {"enum": list(words)}, check)


def _text(help_text: str, pattern: re.Pattern[str], example: str) -> HostSetting:
    """Which words there are only the machine knows; it is asked before load is spent."""

    def check(value: object) -> None:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(f'{shown(value)} is no value here; write it as in "{example}"')

    return HostSetting(help_text, {"type": "string", "pattern": f"^{pattern.pattern}$"}, check)


HOST: dict[str, HostSetting] = {
    "block.scheduler": _text("The I/O scheduler of the disks under the data.", _NAME, "mq-deadline"),
    "block.nr_requests": _whole("Requests that may stand in a disk's queue.", 1),
    "block.wbt_lat_usec": _whole("Latency of reads above which writing-back is held down; 0 never.", 0),
    "block.rotational": _whole("Whether a disk is taken for one that turns.", 0, 1),
    "block.read_ahead_kb": _whole("How far is read ahead, in KiB.", 0),
    "block.rq_affinity": _whole("On which processor requests are completed: 0, 1 or 2.", 0, 2),
    "block.nomerges": _whole("0 merges neighbouring requests, 1 simple ones, 2 none.", 0, 2),
    "block.write_cache": _word(
        "Whether flushes are sent to a disk: write-back yes.", "write-back", "write-through"
    ),
    "mount": _text("Options that the data's file system is remounted with.", _OPTIONS, "noatime,nodiscard"),
    "vm.swappiness": _whole("The lower, the longer programs' pages stay in memory.", 0, 200),
    "vm.dirty_ratio": _whole("Per cent of memory with written data at which writers wait.", 1, 100),
    "vm.dirty_background_ratio": _whole("Per cent at which the kernel begins to write back.", 1, 100),
    "thp": _word("Transparent huge pages.", "always", "madvise", "never"),
    "cpu.governor": _text("Who chooses the processors' frequency.", _NAME, "performance"),
    "cpu.smt": _word("Whether a core is several processors.", "on", "off"),
    "raid.write_policy": _word(
        "When a RAID controller answers a write.", "write-back", "write-through", "always-write-back"
    ),
    "raid.read_policy": _word("Whether it reads ahead.", "normal", "read-ahead", "adaptive"),
    "raid.io_policy": _word("Whether it keeps what it has read.", "direct", "cached"),
    "raid.bgi_rate": _whole("Per cent of its time for initialising in the background.", 0, 100),
    "raid.cache_ratio": _whole("Per cent of an HPE controller's cache for reads.", 0, 100),
}
"""Name after `host.` -> what it may be."""


def check_host(value: object) -> dict[str, Scalar]:
    """`[host]` as TOML nests it -> name -> value. ValueError with the nearest key, or for a wrong value."""
    if not isinstance(value, dict):
        raise ValueError('is a table of settings, as in { block = { scheduler = "none" } }')
    found: dict[str, Scalar] = {}
    for key, entry in value.items():
        inner = entry if isinstance(entry, dict) else {None: entry}
        for word, setting in inner.items():
            name = key if word is None else f"{key}.{word}"
            if name not in HOST:
                raise _below(name, f'no setting of the machine is called "{name}"{_near(name)}')
            try:
                HOST[name].check(setting)
            except ValueError as error:
                raise _below(name, str(error)) from None
            found[name] = setting
    return found


def host_schema() -> dict[str, Any]:
    """JSON Schema of `[host]`."""
    top: dict[str, Any] = {}
    for name, setting in HOST.items():
        table, _, key = name.rpartition(".")
        entry = {"description": setting.help, **setting.schema}
        if table:
            empty = {"type": "object", "additionalProperties": False, "properties": {}}
            top.setdefault(table, empty)["properties"][key] = entry
        else:
            top[key] = entry
    return {"type": "object", "additionalProperties": False, "properties": top}


def _near(name: str) -> str:
    """Of a table written as if it were a key, the keys in it."""
    inside = [known for known in HOST if known.startswith(f"{name}.")]
    return f"; known: {', '.join(inside)}" if inside else did_you_mean(name, HOST)


def _below(name: str, sentence: str) -> PydanticCustomError:
    return PydanticCustomError("value", "{sentence}", {"sentence": sentence, "below": name})
