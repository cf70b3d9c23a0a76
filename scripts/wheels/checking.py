"""Tries a wheel as somebody has it who has nothing else: no other package, no privilege, no compiler."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.wheels.project import ROOT
from scripts.wheels.sizes import MB, parts_in, rows, too_much

MOST_HELP_MS = 150.0
MOST_DEMO_S = 180.0
NOBODY = 65534

_COMPILERS = re.compile(
    r"(.*-)?(cc|c89|c99|gcc|g\+\+|c\+\+|cpp|clang|clang\+\+|tcc|ld|as)(-[\w.]+)?|ld\..*|cargo.*|rust.*|make"
)
_FOLDERS = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
_KEPT = re.compile(r"PIP_.*|.*_proxy|.*_PROXY|SSL_CERT_.*|REQUESTS_CA_BUNDLE|ASSAY_PASSWORD")
_COMMANDS = (
    "assay --version --verbose",
    "assay doctor",
    "assay list --studies",
    "assay plan quickstart",
    "assay published run 003 --plan",
    "assay calibrate --help",
    "assay manual guide/install",
)
_NULL_SERVER = "from assay.system.engine.nullserver import find_nullserver as found; print(found())"


@dataclass(frozen=True)
class Place:
    """A folder outside of any checkout, in which commands run as somebody without privileges."""

    path: Path
    user: int | None
    env: dict[str, str]

    def run(self, *words: str | Path) -> str:
        """Returns what a command prints. Raises CalledProcessError, with its output, where it fails."""
        done = subprocess.run(
            words,
            cwd=self.path / "work",
            env=self.env,
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            print(done.stdout, done.stderr, sep="\n")
            done.check_returncode()
        return done.stdout

    def assay(self, command: str) -> str:
        return self.run(*command.replace("assay", str(self.path / "env/bin/assay"), 1).split())


def check(wheel: Path, *, demo: bool) -> int:
    """Installs a wheel and runs what an installation must be able to do; prints sizes and times. Returns 1
    where one of them is above its bar.
    """
    with _place() as place:
        shutil.copy(wheel, place.path)
        mine = place.path / wheel.name
        mine.chmod(0o644)
        python = os.environ.get("PYTHON", "/usr/bin/python3")
        place.run(python, "-m", "venv", place.path / "env")
        pip: list[str | Path] = [
            place.path / "env/bin/python",
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--quiet",
        ]
        before = _compiled(place)  # of pip itself
        locked: list[str | Path] = ["--constraint", place.path / "run.txt"]
        place.run(*pip, "download", "--no-cache-dir", "--dest", place.path / "cache", *locked, mine)
        began = time.monotonic()
        place.run(*pip, "install", "--no-index", "--find-links", place.path / "cache", mine)
        account = os.geteuid() if place.user is None else place.user
        print(f"installed in {time.monotonic() - began:.0f} s from files, as account {account}")
        parts = parts_in(place.path / "cache")
        compiled = (_compiled(place) - before) / MB
        print(*rows(parts), f"and {compiled:.0f} MB that pip compiled", sep="\n")
        bars: list[tuple[str, float, str, float]] = []
        for command in _COMMANDS:
            said = place.assay(command)
            print(f"$ {command}\n  {said.strip().splitlines()[-1]}")
        print(place.run(place.path / "env/bin/python", "-c", _NULL_SERVER).strip())
        bars.append(
            (
                "assay --help, the quickest of 9",
                min(_seconds(place) for _ in range(9)) * 1000,
                "ms",
                MOST_HELP_MS,
            )
        )
        if demo:
            began = time.monotonic()
            print(place.assay("assay demo"))
            bars.append(("assay demo", time.monotonic() - began, "s", MOST_DEMO_S))
            if not (place.path / "work/results/quickstart/report.html").is_file():
                raise ValueError("the demo left no report")
    for name, value, unit, most in bars:
        print(f"{name}: {value:.0f} {unit} (at most {most:.0f}){'' if value <= most else ': TOO MUCH'}")
    wrong = too_much(parts)
    print(*(f"TOO MUCH {one}" for one in wrong), sep="\n", end="\n" if wrong else "")
    return int(bool(wrong) or any(value > most for _, value, _, most in bars))


def _compiled(place: Place) -> int:
    return sum(one.stat().st_size for one in (place.path / "env/lib").rglob("*.pyc"))


@contextmanager
def _place() -> Iterator[Place]:
    user = NOBODY if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="assay-wheel-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        for name in ("work", "home", "cache", "env"):
            (path / name).mkdir()
            if user is not None:
                os.chown(path / name, user, user)
        shutil.copy(ROOT / "requirements/run.txt", path)
        env = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
        env |= {"HOME": str(path / "home"), "PATH": str(_tools(path / "tools")), "LANG": "C.UTF-8"}
        yield Place(path, user, env)


def _tools(folder: Path) -> Path:
    """Makes a folder with the programs of the system, except those that compile."""
    folder.mkdir()
    for place in map(Path, _FOLDERS):
        for program in place.iterdir() if place.is_dir() else ():
            link = folder / program.name
            if not _COMPILERS.fullmatch(program.name) and not link.is_symlink():
                link.symlink_to(program)
    return folder


def _seconds(place: Place) -> float:
    """Returns the processor time of one start, which other programs change less than what a clock says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    place.assay("assay --help")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
