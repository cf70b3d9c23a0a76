"""The ways of doing I/O that a calibration knows."""

from __future__ import annotations

IO_ENGINES = ("psync", "libaio", "io_uring", "mmap")
