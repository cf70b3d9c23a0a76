"""What lies beside the code: in an installation within the package, in a checkout at its top."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of the package `assay`."""
_CHECKOUT = PACKAGE.parents[1]


def carried(name: str) -> Path:
    """Returns the place of a file or folder that an installation carries, whether it is there or not."""
    installed = PACKAGE / name
    return installed if installed.exists() else _CHECKOUT / name


def checkout() -> Path | None:
    """Returns the checkout that the code is read from; None for an installation."""
    return _CHECKOUT if (_CHECKOUT / "crates").is_dir() else None
