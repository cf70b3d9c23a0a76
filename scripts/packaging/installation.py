"""Lays out an installation that needs nothing but a Python of its version: /opt/assay of the packages.

Modules are compiled here and never checked against their sources: nothing is written beneath /opt/assay
later, and what was packed is what purging removes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.packaging.wheel import Wheel

PLACE = Path("/opt/assay")
COMMANDS = ("assay", "assay-engine")
_OLDEST_GLIBC, _NEWEST_GLIBC = 5, 35
"""Wheels for these C libraries are taken; 2.35 is that of the oldest system, Ubuntu 22.04."""
_LEFT_OUT = ("direct_url.json", "REQUESTED")
"""What pip notes of the machine that installs."""


@dataclass(frozen=True)
class Source:
    """What is installed: the wheel, the files with the exact version of everything that it needs, and the
    interpreter of the version that it is for. `pip` holds further options of pip, such as `--no-index`.
    """

    wheel: Wheel
    locked: Sequence[Path]
    interpreter: Path
    version: str
    pip: Sequence[str] = ()


def lay_out(source: Source, root: Path) -> Path:
    """Installs beneath `root` as if that were `/`, and returns the folder of the installation."""
    place = root / PLACE.relative_to("/")
    modules = place / "lib" / f"python{source.version}" / "site-packages"
    _install(source, modules)
    _move_commands(modules, place / "bin", source.version)
    (place / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {source.version}\n"
    )
    _scrub(modules)
    _compile(source.interpreter, root, modules)
    return place


def platforms(machine: str) -> list[str]:
    """Returns the names of the platforms whose compiled wheels fit, the newest first."""
    return [
        *(f"manylinux_2_{minor}_{machine}" for minor in range(_NEWEST_GLIBC, _OLDEST_GLIBC - 1, -1)),
        f"manylinux2014_{machine}",
        f"linux_{machine}",
    ]


def _install(source: Source, modules: Path) -> None:
    wanted = [word for name in platforms(source.wheel.machine) for word in ("--platform", name)]
    abi = f"cp{source.version.replace('.', '')}"
    lists = [word for path in source.locked for word in ("--requirement", str(path))]
    command = [
        *(sys.executable, "-m", "pip", "install", "--no-deps"),  # what is locked is all that is needed
        *("--quiet", "--disable-pip-version-check", "--no-compile", "--no-warn-script-location"),
        *("--target", str(modules), "--only-binary", ":all:", "--implementation", "cp", *wanted),
        *("--python-version", source.version, "--abi", abi, "--abi", "abi3", "--abi", "none"),
        *(*lists, *source.pip, str(source.wheel.path)),
    ]
    subprocess.run(command, check=True, env={**os.environ, "PIP_ROOT_USER_ACTION": "ignore"})


def _move_commands(modules: Path, commands: Path, version: str) -> None:
    """Puts the command beside the interpreter, without the commands of other packages; the engine stays where
    the package looks for it.
    """
    commands.mkdir(parents=True)
    script, engine = commands / "assay", commands / "assay-engine"
    script.write_text(re.sub(r"\A#!.*", f"#!{PLACE}/bin/python3", (modules / "bin/assay").read_text()))
    script.chmod(0o755)
    engine.symlink_to(Path("..") / modules.relative_to(commands.parent) / "assay/bin/assay-engine")
    (commands / "python3").symlink_to(f"/usr/bin/python{version}")
    shutil.rmtree(modules / "bin")


def _scrub(modules: Path) -> None:
    for path in modules.rglob("*"):
        if path.name in _LEFT_OUT and path.parent.suffix == ".dist-info":
            path.unlink()
    for record in modules.glob("*.dist-info/RECORD"):
        lines = record.read_text().splitlines(keepends=True)
        kept = [
            line for line in lines if not line.startswith("../") and (modules / line.split(",")[0]).exists()
        ]
        record.write_text("".join(kept))


def _compile(interpreter: Path, root: Path, modules: Path) -> None:
    """Compiles all modules, in one process and by the hash of their sources: the same files each time."""
    command = [
        *(str(interpreter), "-I", "-m", "compileall", "-q", "-s", str(root), "-p", "/"),
        *("--invalidation-mode", "unchecked-hash", str(modules)),
    ]
    # Some packages carry templates that are no Python; a module that matters fails when it is tried.
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONHASHSEED": "0"})
