"""Tries a package on a bare system: installed, used, purged. Every step says what it found."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.packaging.chroot import Chroot, Ended

USER = "tester"
UNIT = "/usr/lib/systemd/system/assay-serve.service"
_HOME = Path("/home") / USER
_INSTALL_S, _DEMO_S = 900.0, 600.0
_OF_THE_SYSTEM = (
    "/var/lib/dpkg",
    "/var/lib/apt",
    "/var/cache",
    "/var/log",
    "/tmp",
    "/proc",
    "/sys",
    "/dev",
    "/run",
)
"""Folders in which the system itself writes while it installs and purges."""

_FETCH_PAGES = r"""
import re, signal, subprocess, sys, urllib.request
serve = subprocess.Popen(["assay", "serve", "--port", "0", sys.argv[1]], stdout=subprocess.PIPE, text=True)
try:
    address = re.search(r"http://127\.0\.0\.1:\d+/", serve.stdout.readline())[0]
    page = urllib.request.urlopen(address, timeout=30).read().decode()
    assert "quickstart" in page, page[:500]
finally:
    serve.send_signal(signal.SIGTERM)  # SIGINT is ignored by what a script starts in the background
    serve.wait(30)
"""


@dataclass(frozen=True)
class Step:
    """One step of a trial, with what went wrong: empty when all was well."""

    name: str
    wrong: str = ""


@dataclass
class Trial:
    """A package on a bare system. `demo`: the words of the command that a newcomer gives first. `foreign`
    are the paths that are not the package's own, once it is installed with whatever it depends on.
    """

    system: Chroot
    package: Path
    demo: tuple[str, ...] = ("assay", "demo")
    foreign: frozenset[str] = frozenset()

    def steps(self) -> Iterator[Step]:
        """Yields each step as it ends; after the first that goes wrong there is none."""
        tried: tuple[tuple[str, Callable[[], str]], ...] = (
            ("install", self._install),
            ("doctor", lambda: self._said(("assay", "doctor"), "engine")),
            ("completions", self._completions),
            ("service", self._service),
            ("demo", self._demo),
            ("pages", self._pages),
            ("purge", self._purge),
        )
        for name, step in tried:
            done = Step(name, step())
            yield done
            if done.wrong:
                return

    def _install(self) -> str:
        shutil.copy(self.package, self.system.root / "assay.deb")
        update = self.system.run(["apt-get", "-qq", "update"], network=True, seconds=_INSTALL_S)
        if update.code:
            return _last(update)
        words = ["apt-get", "-qq", "-y", "install", "/assay.deb"]
        done = self.system.run(words, network=True, seconds=_INSTALL_S)
        (self.system.root / "assay.deb").unlink()
        if done.code:
            return _last(done)
        self.system.add_user(USER)
        self.foreign = self.system.files() - own_paths(self.system.root / "var/lib/dpkg/info")
        return ""

    def _completions(self) -> str:
        script = "/usr/share/bash-completion/completions/assay"
        typed = "COMP_WORDS=(assay doc); COMP_CWORD=1; _assay_completion assay"
        return self._said(("bash", "-c", f'. {script}; {typed}; echo "${{COMPREPLY[*]}}"'), "doctor")

    def _service(self) -> str:
        verify = f"! command -v systemd-analyze >/dev/null || systemd-analyze verify {UNIT}"
        return _wrong(self.system.run(["sh", "-ec", f"test -f {UNIT}; {verify}"]))

    def _demo(self) -> str:
        wrong = self._said(self.demo, "quickstart", seconds=_DEMO_S)
        reports = list((self.system.root / _HOME.relative_to("/")).glob("results/*/report.html"))
        return wrong or ("" if reports else f"{' '.join(self.demo)} left no report in {_HOME}/results")

    def _pages(self) -> str:
        return self._said(("/opt/assay/bin/python3", "-c", _FETCH_PAGES, "results"), "")

    def _purge(self) -> str:
        done = self.system.run(["apt-get", "-qq", "-y", "purge", "assay"], seconds=_INSTALL_S)
        return _last(done) if done.code else leftovers(self.foreign, self.system.files())

    def _said(self, command: tuple[str, ...], expected: str, *, seconds: float = 120.0) -> str:
        """Runs a command as a user in the home directory, without a network."""
        words = ["sh", "-c", 'cd && exec "$@"', "sh", *command]
        done = self.system.run(words, user=USER, seconds=seconds)
        if done.code:
            return _last(done)
        return "" if expected in done.output else f"{' '.join(command)} did not say {expected}: {_last(done)}"


def own_paths(lists: Path) -> frozenset[str]:
    """Returns the paths that dpkg lists for assay and for no other package."""
    others = {
        line
        for file in lists.glob("*.list")
        if file.name != "assay.list"
        for line in file.read_text().splitlines()
    }
    return frozenset((lists / "assay.list").read_text().splitlines()) - others


def leftovers(before: frozenset[str], after: frozenset[str]) -> str:
    """Returns what a purged package and its use left, apart from homes, and from what the system writes of
    its own; empty when that is nothing.
    """
    own = tuple(f"{folder}/" for folder in (*_OF_THE_SYSTEM, "/home"))
    left = sorted(path for path in after - before if not f"{path}/".startswith(own))
    return f"left behind: {' '.join(left[:5])}, {len(left)} in all" if left else ""


def _wrong(done: Ended) -> str:
    return _last(done) if done.code else ""


def _last(done: Ended) -> str:
    lines = [line for line in done.output.strip().splitlines() if line.strip()]
    return f"exit {done.code}: " + " / ".join(lines[-4:])
