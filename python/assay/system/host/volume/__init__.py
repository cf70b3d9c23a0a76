"""Makes volumes of loop devices on files: file systems, RAID levels and failing devices without hardware."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.system.host.volume import array, file_system, loop
    from assay.system.host.volume.rebuild import Rebuild
    from assay.system.host.volume.spec import Failure, VolumeSpec
    from assay.system.host.volume.volume import Volume, make_volume, refusal
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "Failure",
    "Rebuild",
    "Volume",
    "VolumeSpec",
    "array",
    "file_system",
    "loop",
    "make_volume",
    "refusal",
]
