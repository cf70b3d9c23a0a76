"""Machines as fixtures: kernel files in JSON (path -> content, or where a link points), unpacked for a test.

`vm` was recorded on a small virtual machine; `two-sockets` was written by hand after the kernel's manual.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from assay.host import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Callable[[str], Machine]:
    def unpack(name: str) -> Machine:
        root = tmp_path / name
        for path, content in json.loads(
            (Path(__file__).parent / "machines" / f"{name}.json").read_text()
        ).items():
            file = root / path.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, dict):
                file.symlink_to(content["link"])
            else:
                file.write_text(content)
        return Machine(root)

    return unpack
