"""What a host of a fleet is: the machine, its means, and what of Assay is installed there."""

from __future__ import annotations

import hashlib
import platform
import socket
from functools import cache
from pathlib import Path

import msgspec

from assay.base.version import VERSION
from assay.system.engine import find_engine
from assay.system.host import own_limits

_PACKAGE = Path(__file__).parents[3]
_ALL_FILES = 1 << 20  # fs.nr_open, which no process may exceed


class HostFacts(msgspec.Struct, frozen=True):
    """A host as its agent describes it.

    `machine` is equal for two hosts exactly when they are one machine that was started once. `ports` is the
    number from which it can have connections to one address at the same time.
    """

    hostname: str
    machine: str
    processors: int
    memory_bytes: int
    descriptors: int
    ports: int
    architecture: str
    version: str
    package_sha256: str
    engine_sha256: str


@cache
def own_facts() -> HostFacts:
    """Returns the facts of this host. Raises `HostError` where the engine is missing."""
    return HostFacts(
        hostname=socket.gethostname(),
        machine=_machine(),
        processors=own_limits().processors,
        memory_bytes=own_limits().memory_bytes,
        descriptors=own_limits().open_files or _ALL_FILES,
        ports=_ports(),
        architecture=platform.machine(),
        version=VERSION,
        package_sha256=_package_sha256(),
        engine_sha256=_file_sha256(find_engine()),
    )


def _machine() -> str:
    """Returns a digest of the machine's id and of its boot: the id alone is copied with images of disks, and
    should not leave its machine (man 5 machine-id).
    """
    digest = hashlib.sha256(b"assay fleet")
    for path in ("/etc/machine-id", "/proc/sys/kernel/random/boot_id"):
        try:
            digest.update(Path(path).read_bytes().strip())
        except OSError:
            digest.update(b"?")
    return digest.hexdigest()[:32]


def _ports() -> int:
    """Returns the number of ephemeral ports (man 7 ip); Linux's default where it cannot be read."""
    try:
        first, last = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    except OSError:
        return 28_232
    return int(last) - int(first) + 1


def _package_sha256() -> str:
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(str(path.relative_to(_PACKAGE)).encode() + b"\0")
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
