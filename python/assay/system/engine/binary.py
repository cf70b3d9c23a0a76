"""Finds the measuring engine, and what it can do: all that a help text needs of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path
from typing import Any

from assay.base.carried import PACKAGE, checkout
from assay.base.errors import HostError

NAME = "assay-engine"


def find_engine() -> Path:
    """Returns the path of the engine's binary. Raises `HostError`, which lists every place that was searched,
    when it is not found.
    """
    return find_binary(NAME, "engine", variable="ASSAY_ENGINE")


def find_binary(name: str, crate: str, *, variable: str) -> Path:
    """Returns the path of one of Assay's binaries: from the variable, in the checkout, in the package,
    or beside this Python.

    In a checkout `make` installs them in `target/engine`, of whichever build. What cargo was told to build by
    hand is taken only where nothing is there, in the order in which it is fit for measuring.
    """
    chosen = os.environ.get(variable)
    if chosen:
        path = Path(chosen)
        if os.access(path, os.X_OK) and path.is_file():
            return path
        raise HostError(
            f"{variable} names {chosen}, which is not an executable file",
            hint=f"Unset it, or point it at the {crate}'s binary.",
        )
    target = os.environ.get("CARGO_TARGET_DIR")
    places = _places(name, target)
    for place in places:
        if os.access(place, os.X_OK) and place.is_file():
            return place
    looked = "\n".join(f"  {place}" for place in places)
    build = "build it with `make engine` in the checkout" if checkout() else "install Assay again"
    raise HostError(
        f"cannot find {name}",
        hint=f"{build}, or set {variable} to its path",
        detail=f"Looked at:\n{looked}",
    )


@lru_cache
def _places(name: str, target: str | None) -> list[Path]:
    places = []
    here = checkout()
    if here is not None:
        places.append(here / "target" / "engine" / name)
        by_hand = [Path(target)] if target is not None else []
        by_hand.append(here / "target")
        places += [folder / kind / name for folder in by_hand for kind in ("release", "quick", "debug")]
    for folder in (PACKAGE / "bin", Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        if folder / name not in places:
            places.append(folder / name)
    return places


def workload_catalogue() -> list[dict[str, Any]]:
    """Returns the workloads that the engine has: `{"name", "summary", "options": JSON Schema}` each."""
    catalogue: list[dict[str, Any]] = json.loads(_catalogue_text(find_engine()))
    return catalogue


@lru_cache(maxsize=4)
def _catalogue_text(engine: Path) -> bytes:
    """Returns what `assay-engine workloads` prints; an engine is asked once a process."""
    answer = subprocess.run([engine, "workloads"], capture_output=True, check=False)
    if answer.returncode != 0:
        raise HostError(f"{NAME} could not list its workloads", detail=answer.stderr.decode(errors="replace"))
    return answer.stdout
