"""Parses a study's [volume] into the specification of a volume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.base.errors import InputError
from assay.design.study import Scalar, parse_duration_s, parse_size_bytes
from assay.design.study.volume_settings import FAIL_AFTER, NEVER, NO_VOLUME

_LEAST_DEVICES = {"none": 1, "raid0": 2, "raid1": 2, "raid10": 4, "raid5": 3}
_NO_SPARE = ("none", "raid0")


@dataclass(frozen=True)
class Failure:
    """A planned failure: the device's number from 1, when it fails, and when a new device replaces it, in
    seconds.
    """

    device: int
    after_s: float
    replace_after_s: float | None  # from the failure; None: never


@dataclass(frozen=True)
class VolumeSpec:
    """The specification of a volume, with sizes in bytes. `unallocated`: share of each device, 0 to 0.9."""

    file_system: str = "ext4"
    mount: str = ""
    devices: int = 1
    device_bytes: int = 1 << 30
    raid: str = "none"
    unallocated: float = 0.0
    page_cache: bool = False
    failure: Failure | None = None

    @staticmethod
    def of(settings: Mapping[str, Scalar]) -> VolumeSpec | None:
        """Returns the volume of a treatment's `[volume]`; None when the treatment has none, or no file system
        on it.

        Raises InputError when settings contradict each other.
        """
        if not settings or settings.get("file_system") == NO_VOLUME:
            return None
        raid = str(settings.get("raid", "none"))
        spec = VolumeSpec(
            file_system=str(settings.get("file_system", "ext4")),
            mount=str(settings.get("mount", "")),
            devices=int(settings.get("devices", _LEAST_DEVICES[raid])),
            device_bytes=parse_size_bytes(settings.get("device_size", "1G")),
            raid=raid,
            unallocated=int(settings.get("unallocated_pct", 0)) / 100,
            page_cache=bool(settings.get("page_cache", False)),
            failure=_failure(settings),
        )
        spec._require_sense()
        return spec

    @property
    def spares(self) -> int:
        """Number of spare devices."""
        return int(self.failure is not None and self.failure.replace_after_s is not None)

    @property
    def bytes(self) -> int:
        """Size of all devices' files in bytes, spares included."""
        return (self.devices + self.spares) * self.device_bytes

    @property
    def by_md(self) -> bool:
        """Whether md joins the devices; btrfs does it itself."""
        return self.raid != "none" and self.file_system != "btrfs"

    @property
    def raw_bytes(self) -> int:
        """Size of all devices in bytes, including the share left unallocated."""
        return self.devices * self.device_bytes

    @property
    def allocated_bytes(self) -> int:
        """Bytes of each device that the volume may use, in whole pages."""
        return int(self.device_bytes * (1 - self.unallocated)) & ~4095

    def _require_sense(self) -> None:
        least = _LEAST_DEVICES[self.raid]
        if self.devices < least:
            raise InputError(f"volume.devices: {self.raid} needs at least {least}, not {self.devices}")
        if self.raid == "none" and self.devices > 1:
            raise InputError(
                f"volume.devices: {self.devices} devices must be joined",
                hint='set raid, as in raid = "raid10"',
            )
        if self.raid == "raid10" and self.devices % 2:
            raise InputError(f"volume.devices: raid10 needs an even number, not {self.devices}")
        if self.failure is None:
            return
        if self.raid in _NO_SPARE:
            raise InputError(
                f"volume.fail_device: raid = {self.raid} cannot survive the loss of a device",
                hint='choose raid = "raid1", "raid10" or "raid5"',
            )
        if self.by_md and self.spares:
            raise InputError(
                f"volume.replace_after: {self.raid} of {self.file_system} cannot replace a device",
                hint=f'choose file_system = "btrfs", or replace_after = "{NEVER}"',
            )
        if self.failure.device > self.devices:
            raise InputError(
                f"volume.fail_device: must be from 1 to {self.devices}, not {self.failure.device}"
            )


def _failure(settings: Mapping[str, Scalar]) -> Failure | None:
    device = int(settings.get("fail_device", 0))
    if not device:
        return None
    replace = settings.get("replace_after", NEVER)
    return Failure(
        device,
        parse_duration_s(settings.get("fail_after", FAIL_AFTER)),
        None if replace == NEVER else parse_duration_s(replace),
    )
