"""Delays every fsync and fdatasync of a program, as a slower disk would: the kernel asks a second process
before it carries one out (seccomp_unotify(2)), and that answers later.

The launcher imports this by its path, so it knows the standard library alone. Every program can be delayed,
whatever libc it has, and nothing is loaded into it. A file that is written with O_DSYNC needs no such call.
"""

from __future__ import annotations

import array
import ctypes
import errno
import fcntl
import os
import select
import socket
import struct
import sys
import time
from dataclasses import dataclass

PR_SET_NO_NEW_PRIVS = 38  # <linux/prctl.h>
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER = 1, 8  # <linux/seccomp.h>
SECCOMP_RET_USER_NOTIF, SECCOMP_RET_ALLOW = 0x7FC00000, 0x7FFF0000
SECCOMP_USER_NOTIF_FLAG_CONTINUE = 1
NOTIF_RECV, NOTIF_SEND = 0xC0502100, 0xC0182101
NOTIF_BYTES = 80
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # instructions of BPF: <linux/filter.h>
NUMBER_AT, ARCHITECTURE_AT = 0, 4  # in struct seccomp_data


@dataclass(frozen=True)
class SystemCalls:
    """Numbers of system calls of one kind of machine, and the name that the kernel has for it."""

    architecture: int
    seccomp: int
    syncs: tuple[int, ...]  # fsync, fdatasync


MACHINES = {
    "x86_64": SystemCalls(0xC000003E, 317, (74, 75)),
    "aarch64": SystemCalls(0xC00000B7, 277, (82, 83)),
}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def answering(delay_us: int) -> socket.socket:
    """Starts the process that answers, which ends with the program. Returns the socket for `delay_syncs`."""
    ours, its = socket.socketpair()
    child = os.fork()
    if child == 0:
        if os.fork() == 0:  # no child of the program, which waits for none
            ours.close()
            for descriptor in (0, 1, 2):
                os.close(descriptor)
            _answer(its, delay_us)
        os._exit(0)
    os.waitpid(child, 0)
    its.close()
    return ours


def delay_syncs(libc: ctypes.CDLL, to: socket.socket) -> None:
    """Lets the kernel ask, from now on, before this process or what it becomes syncs a file. Exits with the
    reason where that cannot be.
    """
    machine = os.uname().machine
    calls = MACHINES.get(machine)
    if calls is None:
        sys.exit(f"server.sync_delay_ms: no numbers of system calls are known for {machine}")
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    code = _filter(calls)
    instructions = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(instructions))
    listener = libc.syscall(
        calls.seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, ctypes.byref(program)
    )
    if listener < 0:
        said = os.strerror(ctypes.get_errno())
        sys.exit(f"server.sync_delay_ms: the kernel takes no filter of system calls: {said}")
    to.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", listener))])
    os.close(listener)
    to.close()


def _filter(calls: SystemCalls) -> bytes:
    """Returns the program of BPF that asks about the two calls, and lets all others pass."""
    steps = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (EQUAL, 0, len(calls.syncs) + 2, calls.architecture),
        (LOAD, 0, 0, NUMBER_AT),
        *((EQUAL, len(calls.syncs) - at, 0, number) for at, number in enumerate(calls.syncs)),
        (RETURN, 0, 0, SECCOMP_RET_ALLOW),
        (RETURN, 0, 0, SECCOMP_RET_USER_NOTIF),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _answer(come_from: socket.socket, delay_us: int) -> None:
    """Answers each question once its delay is over, until no process is left that asks."""
    _, ancillary, _, _ = come_from.recvmsg(1, socket.CMSG_SPACE(4))
    if not ancillary:  # the program was never begun
        return
    listener = array.array("i", ancillary[0][2][:4])[0]
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    waiting: list[tuple[float, int]] = []  # all have one delay, so the first is the next
    while True:
        left_s = None if not waiting else max(0.0, waiting[0][0] - time.monotonic())
        # select takes microseconds, poll milliseconds
        asked = select.select([listener], [], [], left_s)[0]
        if asked:
            events = poll.poll(0)
            if events and not events[0][1] & select.POLLIN:
                return
            if events and (number := _question(listener)) is not None:
                waiting.append((time.monotonic() + delay_us / 1e6, number))
        while waiting and waiting[0][0] <= time.monotonic():
            _let_pass(listener, waiting.pop(0)[1])


def _question(listener: int) -> int | None:
    """Returns the number of a question; None where its thread has gone meanwhile."""
    content = bytearray(NOTIF_BYTES)
    try:
        fcntl.ioctl(listener, NOTIF_RECV, content)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EINTR):
            return None
        raise
    return int(struct.unpack_from("=Q", content)[0])


def _let_pass(listener: int, number: int) -> None:
    answer = struct.pack("=QqiI", number, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE)
    try:
        fcntl.ioctl(listener, NOTIF_SEND, answer)
    except OSError as error:
        if error.errno != errno.ENOENT:  # the thread was killed
            raise
