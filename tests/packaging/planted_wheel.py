"""A wheel of Assay with hardly anything inside, for tests of what is done with wheels."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from pathlib import Path

NAME = "assay-0.1.0-py3-none-manylinux_2_17_x86_64.whl"
_INFO = "assay-0.1.0.dist-info"


def plant(folder: Path, **more: bytes) -> Path:
    """Writes the wheel, with further modules `more` of the package, and returns its path."""
    files = {
        "assay/__init__.py": b'"""Planted."""\n',
        f"{_INFO}/METADATA": b"Metadata-Version: 2.1\nName: assay\nVersion: 0.1.0\n",
        f"{_INFO}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n"
        b"Tag: py3-none-manylinux_2_17_x86_64\n",
        f"{_INFO}/entry_points.txt": b"[console_scripts]\nassay = assay:main\n",
        "assay/bin/assay-engine": b"#!/bin/sh\necho engine\n",
        **{f"assay/{name}.py": content for name, content in more.items()},
    }
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},{len(content)}\n"
        for name, content in files.items()
    )
    files[f"{_INFO}/RECORD"] = (record + f"{_INFO}/RECORD,,\n").encode()
    path = folder / NAME
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if "/bin/" in name else 0o100644) << 16
            archive.writestr(entry, content)
    return path
