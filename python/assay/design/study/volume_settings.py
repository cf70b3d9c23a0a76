"""Names, values and help of the settings of a volume of loop devices.

`assay.system.host.volume` makes the volume.
"""

from __future__ import annotations

import re

from assay.design.study.key import Key, check_keys, parsed, switch, text, whole, word
from assay.design.study.values import Scalar, parse_duration_s, parse_size_bytes

FILE_SYSTEMS = ("ext4", "xfs", "btrfs")
NO_VOLUME = "none"
"""The word for no volume, as a level to compare with."""
RAID_LEVELS = ("none", "raid0", "raid1", "raid10", "raid5")
MOST_DEVICES = 16
NEVER = "never"
FAIL_AFTER = "10s"
"""Default time of a device's failure."""
_MOUNT = re.compile(r"[a-z][a-z0-9_=.:,-]*")


def _replace_after(value: object) -> float | None:
    return None if value == NEVER else parse_duration_s(value)


VOLUME: dict[str, Key] = {
    "file_system": word(f'File system of the volume; "{NO_VOLUME}": no volume.', *FILE_SYSTEMS, NO_VOLUME),
    "mount": text("Mount options of the volume.", _MOUNT, "noatime,nodiscard"),
    "devices": whole("Number of devices, each a file behind a loop device.", 1, MOST_DEVICES),
    "device_size": parsed('The size of a device: "1G".', parse_size_bytes),
    "raid": word("How the devices are joined.", *RAID_LEVELS),
    "unallocated_pct": whole("Percentage of each device that stays unallocated (over-provisioning).", 0, 90),
    "page_cache": switch("Whether the page cache caches the devices' files, like a disk's cache."),
    "fail_device": whole(
        "The number of the device that fails in the measured window; 0: none.", 0, MOST_DEVICES
    ),
    "fail_after": parsed(
        'Time of the failure, from the start of the measured window: "20s".', parse_duration_s
    ),
    "replace_after": parsed(
        f'Time from the failure until a new device replaces the failed one: "20s"; "{NEVER}".', _replace_after
    ),
}
"""The keys of a volume's settings, by their names after `volume.`."""


def check_volume(value: object) -> dict[str, Scalar]:
    """Returns `[volume]` as values by name. Raises ValueError for an unknown key, with the nearest, or a
    wrong value.
    """
    return check_keys(value, VOLUME, "a volume", '{ file_system = "xfs" }')
