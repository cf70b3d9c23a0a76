"""Starts programs of a server, unprivileged when the lab is root; they end when the lab ends."""

from __future__ import annotations

import contextlib
import os
import pwd
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from assay.base.errors import HostError
from assay.base.home import home
from assay.system.host import obstacle_to_become
from assay.system.server.address import SECRETS
from assay.system.server.process.alive import ProcessId

_KILLED_S = 30.0
_LAUNCH = Path(__file__).with_name("launch.py")
MARK = "ASSAY_LAB"
"""Environment variable of every program that the lab starts.

`<pid>-<start time>` of the lab process, and its home.
"""

# Server programs read options from files and variables of the caller's; ours get theirs from one file.
_ENVIRONMENT_DROPPED = ("MYSQL_HOME", "MYSQL_UNIX_PORT", "MYSQL_TCP_PORT", "NOTIFY_SOCKET")


@dataclass(frozen=True)
class Account:
    """A user account of this machine."""

    name: str
    uid: int
    gid: int


def server_account() -> Account | None:
    """Returns the user that servers run as when the lab is root, `mysql` or else `nobody`; None when they run
    as this user: also as a root that may become no other, as in a container without other users.
    """
    if os.geteuid() != 0:
        return None
    accounts = _unprivileged()
    if not accounts:
        raise HostError(
            "cannot run a server: there is no unprivileged user for it",
            hint="create one: useradd --system --no-create-home mysql",
        )
    return next((one for one in accounts if obstacle_to_become(one.uid, one.gid) is None), None)


def why_as_root() -> str:
    """Returns why servers run as root, where `server_account` has none for them."""
    return next(filter(None, (obstacle_to_become(one.uid, one.gid) for one in _unprivileged())), "")


def _unprivileged() -> list[Account]:
    found = []
    for name in ("mysql", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            found.append(Account(name, entry.pw_uid, entry.pw_gid))
    return found


def launch(
    command: Sequence[str],
    *,
    record: Path | None = None,
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    stdout: int | IO[bytes] = subprocess.DEVNULL,
    stderr: int | IO[bytes] = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
    cpus: Collection[int] = (),
    numa: str | None = None,
    groups: Sequence[Path] = (),
    sync_delay_us: int | None = None,
    as_server: bool = True,
    cwd: Path | str = "/",
) -> subprocess.Popen[bytes]:
    """Starts a program in a process group of its own (Ctrl-C does not reach it).

    The program gets SIGTERM when the calling *thread* ends: call this from one that lives as long as the
    program must. `record` receives its pid and start time before it runs. `environment` is added to this
    process's, `cpus` are the processors that it may run on (none: all that this process may), `numa` is the
    policy of its memory as `mode:nodes`, `groups` are `cgroup.procs` of control groups that it joins,
    `sync_delay_us` delays each of its fsyncs.
    `as_server=False` keeps it running as this user.
    """
    account = server_account() if as_server else None
    words = [f"set={name}={value}" for name, value in (environment or {}).items()]
    if record is not None:
        words.append(f"record={record}")
    if account is not None:
        words.append(f"account={account.uid}:{account.gid}")
    if cpus:
        words.append(f"cpus={','.join(map(str, sorted(cpus)))}")
    if numa is not None:
        words.append(f"numa={numa}")
    words += [f"group={group}" for group in groups]
    if sync_delay_us is not None:
        words.append(f"sync-delay={sync_delay_us}")
    return start(command, words, stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd, env=_environment())


def _environment() -> dict[str, str]:
    """Returns this process's environment without variables that change a server's options, and without
    passwords of other servers.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if name not in _ENVIRONMENT_DROPPED and name not in SECRETS
    }


def start(command: Sequence[str], words: Sequence[str] = (), **settings: Any) -> subprocess.Popen[bytes]:
    """Starts a program through the launcher, in a process group of its own (Ctrl-C does not reach it).

    `words` are the launcher's own arguments, `settings` those of Popen. A signal that is sent to the program
    while the launcher starts ends it: it is kept from the launcher until that has set so, because Python may
    lose a Ctrl-C that comes while it imports.
    """
    marks = [f"set={name}={value}" for name, value in mark().items()]
    launcher = [sys.executable, "-I", "-S", str(_LAUNCH), f"parent={os.getpid()}", *marks]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})  # it inherits these
    try:
        program = subprocess.Popen([*launcher, *words, "--", *map(str, command)], process_group=0, **settings)
    except BaseException:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        raise
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    except BaseException:  # from the handler of a signal that came meanwhile: nobody will know this program
        program.kill()
        program.wait()
        raise
    return program


def first_line(program: subprocess.Popen[bytes], limit_s: float) -> bytes:
    """Returns the first line of a program's output; empty when it ended first, or wrote nothing within the
    limit.

    Call this once, before anything else reads the output: what came after the line is lost.
    """
    assert program.stdout is not None
    said, deadline = b"", time.monotonic() + limit_s
    while not said.endswith(b"\n"):
        left_s = deadline - time.monotonic()
        if left_s <= 0 or not select.select([program.stdout], [], [], left_s)[0]:
            return b""
        piece = os.read(program.stdout.fileno(), 4096)
        if not piece:
            return b""
        said += piece
    return said


def mark() -> dict[str, str]:
    """Returns the environment variable by which `marked` finds a process."""
    me = ProcessId.of(os.getpid())
    assert me is not None
    return {MARK: f"{me.pid}-{me.start_ticks}@{home()}"}


def marked(home_dir: Path, wanted: Callable[[str], bool]) -> Iterator[ProcessId]:
    """Yields the processes that labs with this home directory started, and their descendants, by their lab
    process.

    A process that changed its environment, or belongs to another user, is not found. Neither is one of a
    container: its lab has a number of that container, and its home directory may have the same name.
    """
    numbers = Path("/proc/self/ns/pid").readlink()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if (entry / "ns/pid").readlink() != numbers:
                continue
            environment = (entry / "environ").read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended, or is not ours
        for variable in environment:
            if not variable.startswith(MARK.encode() + b"="):
                continue
            lab, _, where = os.fsdecode(variable).partition("=")[2].partition("@")
            process = ProcessId.of(int(entry.name))
            if where == str(home_dir) and process is not None and wanted(lab):
                yield process


def run_tool(
    command: Sequence[str],
    *,
    timeout_s: float,
    stdin: bytes | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs a program of a server to its end. Raises HostError when it takes longer than `timeout_s`."""
    process = launch(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        environment=environment,
    )
    try:
        out, err = process.communicate(stdin or b"", timeout=timeout_s)
    except subprocess.TimeoutExpired:
        raise HostError(
            f"{command[0]} did not end within {timeout_s:g} s", detail=" ".join(command)
        ) from None
    finally:
        if process.poll() is None:
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):  # it waits in the kernel
                process.wait(_KILLED_S)
    return subprocess.CompletedProcess(
        list(command), process.returncode, out.decode(errors="replace"), err.decode(errors="replace")
    )


def require_reachable(path: Path, what: str) -> None:
    """Raises HostError when the user that servers run as cannot enter a directory on the way to `path`."""
    account = server_account()
    if account is None:
        return
    for folder in reversed(path.absolute().parents):
        if not folder.exists():
            return  # made by us further down, with the right owner
        info = folder.stat()
        bit = (
            stat.S_IXUSR
            if info.st_uid == account.uid
            else stat.S_IXGRP
            if info.st_gid == account.gid
            else stat.S_IXOTH
        )
        if not info.st_mode & bit:
            raise HostError(
                f"{what} {path} is out of reach for {account.name}, who runs the server: {folder} is closed",
                hint=f"chmod o+x {folder}, or set ASSAY_HOME to a directory that others may enter",
            )


def give_to_server(path: Path) -> None:
    """Gives everything under `path` to the user that servers run as."""
    account = server_account()
    if account is None:
        return
    for entry in [path, *path.rglob("*")]:
        info = entry.lstat()
        if (info.st_uid, info.st_gid) != (account.uid, account.gid):
            os.chown(entry, account.uid, account.gid, follow_symlinks=False)
