"""Measures how fast the load generator itself is on this host, and keeps the results to compare runs with."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.measurement.calibration.durations import Durations, StepTook, keep_durations, kept_durations
    from assay.measurement.calibration.files import CalibrateFiles, calibrate_files
    from assay.measurement.calibration.io_engines import IO_ENGINES
    from assay.measurement.calibration.noise import (
        NOISE_OF_FLAVOUR,
        Noise,
        NoiseSetting,
        host_class,
        keep_noise,
        kept_noise,
        noise_of,
        noise_state,
    )
    from assay.measurement.calibration.record import (
        Calibration,
        calibration_for,
        current,
        near_ceiling,
        stored,
    )
    from assay.measurement.calibration.servers import Calibrate, calibrate
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "IO_ENGINES",
    "NOISE_OF_FLAVOUR",
    "Calibrate",
    "CalibrateFiles",
    "Calibration",
    "Durations",
    "Noise",
    "NoiseSetting",
    "StepTook",
    "calibrate",
    "calibrate_files",
    "calibration_for",
    "current",
    "host_class",
    "keep_durations",
    "keep_noise",
    "kept_durations",
    "kept_noise",
    "near_ceiling",
    "noise_of",
    "noise_state",
    "stored",
]
