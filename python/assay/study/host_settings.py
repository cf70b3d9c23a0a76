"""Settings of the machine that a study may have changed: names, values, help. A new one is a line in HOST.

What turns them is in `assay.host.knob`, under the same names.
"""

from __future__ import annotations

import re

from assay.study.key import Key, check_keys, text, whole, word
from assay.study.values import Scalar

_OPTIONS = re.compile(r"[a-z_]+(,[a-z_]+)*")
_NAME = re.compile(r"[a-z][a-z0-9_-]*")

HOST: dict[str, Key] = {
    "block.scheduler": text("The I/O scheduler of the disks under the data.", _NAME, "mq-deadline"),
    "block.nr_requests": whole("Requests that may stand in a disk's queue.", 1),
    "block.wbt_lat_usec": whole("Latency of reads above which writing-back is held down; 0 never.", 0),
    "block.rotational": whole("Whether the kernel treats a disk as rotational.", 0, 1),
    "block.read_ahead_kb": whole("How far is read ahead, in KiB.", 0),
    "block.rq_affinity": whole("On which processor requests are completed: 0, 1 or 2.", 0, 2),
    "block.nomerges": whole("0 merges neighbouring requests, 1 simple ones, 2 none.", 0, 2),
    "block.write_cache": word(
        "Whether flushes are sent to a disk: write-back yes.", "write-back", "write-through"
    ),
    "mount": text("Options that the data's file system is remounted with.", _OPTIONS, "noatime,nodiscard"),
    "vm.swappiness": whole("The lower, the longer programs' pages stay in memory.", 0, 200),
    "vm.dirty_ratio": whole("Per cent of memory with written data at which writers wait.", 1, 100),
    "vm.dirty_background_ratio": whole("Per cent at which the kernel begins to write back.", 1, 100),
    "thp": word("Transparent huge pages.", "always", "madvise", "never"),
    "cpu.governor": text("Who chooses the processors' frequency.", _NAME, "performance"),
    "cpu.smt": word("Whether a core is several processors.", "on", "off"),
    "raid.write_policy": word(
        "When a RAID controller answers a write.", "write-back", "write-through", "always-write-back"
    ),
    "raid.read_policy": word("Whether it reads ahead.", "normal", "read-ahead", "adaptive"),
    "raid.io_policy": word("Whether it keeps what it has read.", "direct", "cached"),
    "raid.bgi_rate": whole("Per cent of its time for initialising in the background.", 0, 100),
    "raid.cache_ratio": whole("Per cent of an HPE controller's cache for reads.", 0, 100),
}
"""Name after `host.` -> what it may be."""


def check_host(value: object) -> dict[str, Scalar]:
    """`[host]` as TOML nests it -> name -> value. ValueError with the nearest key, or for a wrong value."""
    return check_keys(value, HOST, "the machine", '{ block = { scheduler = "none" } }')
