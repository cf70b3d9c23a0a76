"""Runs the null server, which answers from memory, so that only the generator is measured."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from assay.base.errors import HostError
from assay.base.format.job import Target
from assay.system.engine.binary import find_binary
from assay.system.host import own_limits
from assay.system.server.process import first_line, start

NAME = "assay-nullserver"

_START_S = 30.0

Transport = Literal["unix", "tcp"]


def find_nullserver() -> Path:
    """Returns the path of the null server's binary, beside the engine's.

    Raises `HostError`, which lists every place that was searched, when it is not found.
    """
    return find_binary(NAME, "nullserver", variable="ASSAY_NULLSERVER")


@contextmanager
def null_server(
    transport: Transport, *, range_rows: int = 100, arguments: tuple[str, ...] = ()
) -> Iterator[Target]:
    """Starts a null server in a directory of its own and yields the job's `target`; `arguments` are its
    faults and delays.
    """
    binary = find_nullserver()
    with tempfile.TemporaryDirectory(prefix="assay-null-") as folder:
        socket = Path(folder) / "null.sock"
        where = ["--socket", str(socket)] if transport == "unix" else ["--port", "0"]
        threads = max(1, own_limits().processors // 2)
        command = [
            str(binary),
            *where,
            "--threads",
            str(threads),
            "--range-rows",
            str(range_rows),
            *arguments,
        ]
        with start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
            try:
                yield _target(server, transport, socket)
            finally:
                server.terminate()
                try:
                    server.communicate(timeout=5)
                except subprocess.TimeoutExpired:
                    server.kill()


def _target(server: subprocess.Popen[bytes], transport: Transport, socket: Path) -> Target:
    assert server.stdout is not None
    said = first_line(server, _START_S)
    if not said:
        server.kill()
        _, complaint = server.communicate()
        raise HostError(f"{NAME} did not start", detail=complaint.decode(errors="replace").strip())
    ready = json.loads(said)
    where = {"socket": str(socket)} if transport == "unix" else {"port": ready["port"]}
    return Target(user="root", database="assay", **where)
