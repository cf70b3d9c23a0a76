"""Names, values and help of host settings that a study may change; a new one is a line in HOST.

`assay.system.host.knob` turns them, under the same names.
"""

from __future__ import annotations

import re

from assay.design.study.key import Key, check_keys, text, whole, word
from assay.design.study.values import Scalar

_OPTIONS = re.compile(r"[a-z_]+(,[a-z_]+)*")
_NAME = re.compile(r"[a-z][a-z0-9_-]*")

HOST: dict[str, Key] = {
    "block.scheduler": text("The I/O scheduler of the disks under the data.", _NAME, "mq-deadline"),
    "block.nr_requests": whole("Requests that may stand in a disk's queue.", 1),
    "block.wbt_lat_usec": whole("Read latency above which write-back is throttled; 0: never.", 0),
    "block.rotational": whole("Whether the kernel treats a disk as rotational.", 0, 1),
    "block.read_ahead_kb": whole("Read-ahead, in KiB.", 0),
    "block.rq_affinity": whole("Processor that completes a request: 0, 1 or 2 (rq_affinity).", 0, 2),
    "block.nomerges": whole("Merging of requests; 0: all merges, 1: only simple ones, 2: none.", 0, 2),
    "block.write_cache": word(
        "Write cache of a disk, as the kernel sees it; flushes are sent only with write-back.",
        "write-back",
        "write-through",
    ),
    "mount": text("Options that the data's file system is remounted with.", _OPTIONS, "noatime,nodiscard"),
    "vm.swappiness": whole("Tendency to swap; the lower, the longer programs' pages stay in memory.", 0, 200),
    "vm.dirty_ratio": whole("Percentage of memory with dirty pages at which writers must wait.", 1, 100),
    "vm.dirty_background_ratio": whole(
        "Percentage of memory with dirty pages at which the kernel starts to write back.", 1, 100
    ),
    "thp": word("Transparent huge pages.", "always", "madvise", "never"),
    "cpu.governor": text("Governor of the processors' frequency.", _NAME, "performance"),
    "cpu.smt": word("Simultaneous multithreading: whether a core is several processors.", "on", "off"),
    "raid.write_policy": word(
        "When a RAID controller answers a write.", "write-back", "write-through", "always-write-back"
    ),
    "raid.read_policy": word("Whether a RAID controller reads ahead.", "normal", "read-ahead", "adaptive"),
    "raid.io_policy": word("Whether a RAID controller caches reads.", "direct", "cached"),
    "raid.bgi_rate": whole("Percentage of a RAID controller's time for background initialisation.", 0, 100),
}
"""The keys of host settings, by their names after `host.`."""


GONE = {
    "raid.cache_ratio": ": it went with the program of HPE's RAID controllers; take the key out, and"
    " set the ratio with that program",
}
"""Settings of earlier versions, and what became of them: the end of a sentence that names them."""


def why_gone(name: str) -> str:
    """Returns what became of a key by its full name, `host.raid.cache_ratio`; empty for any other."""
    return GONE.get(name.removeprefix("host."), "") if name.startswith("host.") else ""


def check_host(value: object) -> dict[str, Scalar]:
    """Returns `[host]`, nested as in TOML, as values by name. Raises ValueError for an unknown key, with the
    nearest, or a wrong value.
    """
    return check_keys(value, HOST, "the machine", '{ block = { scheduler = "none" } }', gone=GONE)
