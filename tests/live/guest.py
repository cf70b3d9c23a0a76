"""A kernel of its own for tests that may take all file systems of a machine with them: Linux as a process.

It sees the files of this machine; on its /var/tmp is a disk of its own, which is made anew each time.
Debian's user-mode-linux has it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.system.host.measuring import PLACE as MEASURING

KERNEL = "linux.uml"
_MODULES = Path("/usr/lib/uml/modules")
_DISK_BYTES = 8 << 30
_START_S = 60.0
_LIMIT_S = 900.0
_MEMORY = "3G"
"""The most that it takes; what it does not use is not taken."""
_COPIED = (
    "assay.system.host assay.system.server assay.measurement.run assay.front.cli.run"
    " rich.console rich.progress"
)
"""What `assay run` needs. Each page of memory has a mapping there, and the start of a program copies those of
the process that starts it: one that has imported everything would spend most of its time on that.
"""

_INIT = """\
#!/bin/bash
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mkdir -p /dev/shm /dev/pts
mount -t tmpfs shm /dev/shm
mount -t devpts pts /dev/pts
mount -t tmpfs run /run
mkfs.ext4 -q /dev/ubda
mount /dev/ubda /var/tmp
insmod {modules}/$(uname -r)/kernel/drivers/block/loop.ko
# Locks of the outside are not seen here: what measures there would be taken for dead.
mkdir -p -m 1777 {measuring}
mount -t tmpfs measuring {measuring}
ip link set lo up
mkdir -m 755 /var/tmp/home
cd {directory}
env -i {environment} {command} >{place}/said 2>&1 </dev/null
echo $? >{place}/code
halt -f
"""


def missing() -> str | None:
    """Returns why there can be no such kernel here, or None."""
    if os.geteuid() != 0:
        return "only root sees all files of this machine in it"
    if shutil.which(KERNEL) is None or not _MODULES.is_dir():
        return "Debian's user-mode-linux is not installed (apt-get install user-mode-linux kmod)"
    if shutil.which("insmod") is None:
        return "insmod is not installed (apt-get install kmod)"
    return None


def forbidden(place: Path) -> str | None:
    """Returns why this machine does not let such a kernel run, or None.

    `place` is an empty folder. Without a disk, the kernel ends where it looks for its file system.
    """
    try:
        said = _boot([], ["mem=64M"], place, _START_S).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{KERNEL} does not start: {error}"
    return None if "Unable to mount root" in said else f"{KERNEL} does not start: {said[-500:]}"


def carry_out_tests(place: Path, kept: Path) -> None:
    """Carries out the tests in `own_kernel`, and has them leave results in `kept`.

    Raises AssertionError where one has failed or was skipped.
    """
    files = sorted(map(str, (Path(__file__).parent / "own_kernel").glob("*.py")))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", *files]
    given = {name: os.environ[name] for name in ("ASSAY_ENGINE", "CI", "PYTHONPATH") if name in os.environ}
    given |= {"KEPT_RESULTS": str(kept), "ASSAY_COPIED": _COPIED}
    code, said = carry_out(command, given, place, _LIMIT_S)
    assert code == 0, said
    assert "skipped" not in said, said


def carry_out(
    command: Sequence[str], environment: Mapping[str, str], place: Path, limit_s: float
) -> tuple[int, str]:
    """Carries out a command in a kernel of its own; returns its exit code and what it said.

    `place` is an empty folder. TMPDIR is on the disk of that kernel. Raises AssertionError where the kernel
    ends before the command.
    """
    disk, init = place / "disk", place / "init"
    with disk.open("wb") as file:
        file.truncate(_DISK_BYTES)
    given = {"PATH": os.environ["PATH"], "HOME": "/var/tmp/home", "TMPDIR": "/var/tmp", **environment}
    init.write_text(
        _INIT.format(
            modules=_MODULES,
            measuring=MEASURING,
            directory=shlex.quote(str(Path.cwd())),
            environment=shlex.join(f"{name}={value}" for name, value in given.items()),
            command=shlex.join(command),
            place=shlex.quote(str(place)),
        )
    )
    init.chmod(0o755)
    # It and the process that runs in it take turns, for each page and each system call: on two processors it
    # takes twice the time. All of its processes end with it.
    processor = str(max(os.sched_getaffinity(0)))
    before = ["taskset", "--cpu-list", processor, "unshare", "--pid", "--fork", "--kill-child"]
    root = ["rootfstype=hostfs", "rootflags=/", "rw", f"init={init}"]
    booted = _boot(before, [f"mem={_MEMORY}", f"ubd0={disk}", "quiet", *root], place, limit_s)
    code, said = place / "code", place / "said"
    told = said.read_text(errors="replace") if said.exists() else ""
    assert code.exists(), (
        f"the kernel ended with {booted.returncode}: {booted.stdout[-2000:]}\n{told[-2000:]}"
    )
    return int(code.read_text()), told


def _boot(
    before: Sequence[str], parameters: Sequence[str], place: Path, limit_s: float
) -> subprocess.CompletedProcess[str]:
    """Runs the kernel with these parameters to its end."""
    consoles = ("con=null", "con0=null,fd:1", "ssl=null")
    return subprocess.run(
        [*before, KERNEL, *parameters, f"uml_dir={place}", *consoles],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=limit_s,
        check=False,
    )
