"""Arrow's modules, for who has installed pyarrow: with memory of the system's allocator, which gets it back.

Arrow's own allocators keep what they had, and on some machines take whole huge pages. Who sets
ARROW_DEFAULT_MEMORY_POOL has the allocator that it names.
"""

from __future__ import annotations

import os

_VARIABLE = "ARROW_DEFAULT_MEMORY_POOL"
_given = os.environ.get(_VARIABLE)
os.environ.setdefault(_VARIABLE, "system")

import pyarrow as pa  # noqa: E402

pa.default_memory_pool()  # chosen once, now
if _given is None:
    del os.environ[_VARIABLE]  # the environment of a server that is started later stays as it was

__all__ = ["pa"]
