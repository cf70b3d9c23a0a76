"""Bare systems in a folder: made by mmdebstrap, entered by namespaces of their own, gone at the end.

A command in there has its own processes, mounts and System V objects; without `network` it has the loopback
interface alone. Every command has a deadline, and what it started ends with it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scripts.packaging.systems import System

KEYS = Path("/usr/share/keyrings")
_MAKING_S = 900.0
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_ENTER = """
set -e
mount --make-rprivate /
mount --bind {root} {root}
mount -t proc proc {root}/proc
mount -t sysfs -o ro sys {root}/sys 2>/dev/null || mount --rbind /sys {root}/sys
mount --rbind /dev {root}/dev
mount -t tmpfs -o mode=1777 shm {root}/dev/shm
hostname bare
{more}
exec chroot {root} {command}
"""


class NotHere(Exception):
    """A bare system cannot be made on this machine, for the reason given."""


@dataclass(frozen=True)
class Ended:
    """The end of a command: its exit code and what it printed, both streams together."""

    code: int
    output: str


@dataclass(frozen=True)
class Chroot:
    """A bare system in the folder `root`. `environment` is that of every command in it."""

    root: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(
        self,
        command: Sequence[str],
        *,
        user: str = "root",
        network: bool = False,
        seconds: float = 300.0,
        mounts: str = "",
        privileges: Sequence[str] = (),
    ) -> Ended:
        """Runs a command and returns how it ended; past its deadline it is killed, with code 124.

        `mounts` are further lines of shell before the system is entered. `privileges` are words of setpriv
        that are put before the command, in place of `user`.
        """
        inside = _as_user(command, user) if not privileges else ["setpriv", *privileges, "--", *command]
        settings = {"PATH": _PATH, "LC_ALL": "C.UTF-8", "TERM": "dumb", **self.environment}
        words = ["env", "-i", *(f"{name}={value}" for name, value in settings.items()), *inside]
        more = mounts.format(root=shlex.quote(str(self.root)))
        script = _ENTER.format(
            root=shlex.quote(str(self.root)),
            more=more if network else f"ip link set lo up\n{more}",
            command=shlex.join(words),
        )
        own = [] if network else ["--net"]
        enter = [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--ipc",
            "--uts",
            *own,
            "sh",
            "-c",
            script,
        ]
        try:
            done = subprocess.run(
                enter,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired as late:
            said = (late.output or b"").decode(errors="replace")
            return Ended(124, f"{said}\nkilled after {seconds:g} s")
        return Ended(done.returncode, done.stdout.decode(errors="replace"))

    def add_user(self, name: str) -> None:
        """Adds an ordinary user with a home directory; the smallest systems have no program for that."""
        home = self.root / "home" / name
        home.mkdir()
        shutil.chown(home, 1000, 1000)
        for file, line in (
            ("passwd", f"{name}:x:1000:1000::/home/{name}:/bin/sh"),
            ("group", f"{name}:x:1000:"),
        ):
            with (self.root / "etc" / file).open("a") as names:
                names.write(f"{line}\n")

    def files(self) -> frozenset[str]:
        """Returns every path in the system, as it is named in there."""
        return frozenset(
            f"/{Path(folder).relative_to(self.root) / name}"
            for folder, folders, names in os.walk(self.root)
            for name in (*folders, *names)
        )


@contextmanager
def bare(system: System, kept: Path, *, unsigned: bool = False) -> Iterator[Chroot]:
    """Yields a fresh copy of a bare system, removed at the end; `kept` holds what copies are made of. With
    `unsigned`, archives whose keys this machine lacks are trusted.

    Raises NotHere when this machine cannot make one.
    """
    archive, made_of = _archive(system, kept, unsigned)
    with tempfile.TemporaryDirectory(prefix=f"assay-{system.name}-", dir=kept) as folder:
        root = Path(folder) / "root"
        root.mkdir()
        subprocess.run(
            ["tar", "--extract", "--numeric-owner", "--file", made_of, "--directory", root], check=True
        )
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        signed = (KEYS / system.keys).is_file()
        (root / "etc/apt/sources.list").write_text(system.sources(archive, signed=signed))
        # What an installer or a container engine writes, and debootstrap does not.
        (root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n127.0.1.1 bare\n")
        (root / "etc/hostname").write_text("bare\n")
        no_services = root / "usr/sbin/policy-rc.d"
        no_services.write_text("#!/bin/sh\nexit 101\n")
        no_services.chmod(0o755)
        yield Chroot(root, {"HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"})


def _archive(system: System, kept: Path, unsigned: bool) -> tuple[str, Path]:
    """Returns the address of the archive of a system, and the packed system made from it."""
    if os.geteuid() != 0:
        raise NotHere("only root can enter a bare system: run this as root")
    if shutil.which("mmdebstrap") is None:
        raise NotHere("mmdebstrap is missing: apt-get install mmdebstrap")
    has_keys = (KEYS / system.keys).is_file()
    if not has_keys and not unsigned:
        raise NotHere(f"{KEYS / system.keys} is missing: install it, or give --unsigned to trust the archive")
    if (archive := system.archive()) is None:
        raise NotHere(f"no archive of {system.distribution} is known here: {system.variable} may name one")
    kept.mkdir(parents=True, exist_ok=True)
    packed = kept / f"{system.name}.tar"
    if not packed.is_file():
        made = kept / f".{system.name}.tar"
        command = [
            *("mmdebstrap", "--quiet", "--variant=apt", "--format=tar"),
            *([f"--keyring={KEYS / system.keys}"] if has_keys else []),
            *(system.suite, str(made), system.sources(archive, signed=has_keys)),
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_MAKING_S)
        except subprocess.TimeoutExpired:
            raise NotHere(f"{archive} did not answer within {_MAKING_S:g} s") from None
        if done.returncode != 0:
            raise NotHere(f"mmdebstrap cannot make {system.name}: {' '.join(done.stderr.split())[-200:]}")
        made.rename(packed)
    return archive, packed


def _as_user(command: Sequence[str], user: str) -> list[str]:
    if user == "root":
        return list(command)
    return ["runuser", "-u", user, "--", "env", f"HOME=/home/{user}", *command]
