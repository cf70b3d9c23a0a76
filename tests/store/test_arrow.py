"""Arrow's allocator is the system's, and nobody's environment shows how it was chosen."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

VARIABLE = "ARROW_DEFAULT_MEMORY_POOL"
CHOSEN = f"""
import os
from assay.base.arrow import pa
print(pa.default_memory_pool().backend_name, os.environ.get("{VARIABLE}"))
"""


@pytest.mark.parametrize(("given", "then"), [(None, "system None"), ("mimalloc", "mimalloc mimalloc")])
def test_the_allocator_is_the_systems_unless_the_user_names_one(given: str | None, then: str) -> None:
    others = {name: value for name, value in os.environ.items() if name != VARIABLE}
    named = {} if given is None else {VARIABLE: given}
    done = subprocess.run(
        [sys.executable, "-c", CHOSEN], capture_output=True, text=True, check=True, env=others | named
    )
    assert done.stdout.strip() == then
