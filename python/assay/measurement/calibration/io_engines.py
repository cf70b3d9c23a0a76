"""The I/O engines that can be calibrated."""

from __future__ import annotations

IO_ENGINES = ("psync", "libaio", "io_uring", "mmap")
