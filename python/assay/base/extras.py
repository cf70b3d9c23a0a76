"""Packages that only some users need: the extras of an installation."""

from __future__ import annotations

from importlib.util import find_spec

from assay.base.errors import HostError


def need_package(module: str, extra: str, what: str) -> None:
    """Raises HostError where a package is not installed, with the extra that brings it; `what` needs it."""
    if find_spec(module) is None:
        raise lacking(module, extra, what)


def lacking(module: str, extra: str, what: str) -> HostError:
    """Returns the error for a package that is not installed."""
    return HostError(
        f"{what} needs the Python package {module}, which is not installed",
        hint=f"run pip install 'assay[{extra}]'",
    )
