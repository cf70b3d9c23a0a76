"""A node of a Ray cluster on this machine: started, found and ended, with nothing that a fleet does not need.

Ray carries out whatever reaches its ports (CVE-2023-48022), so a node always asks for the token, runs no
dashboard page and no log monitor, and listens beyond loopback only where TLS or a person vouches for the
network. Processes are found by a variable of their environment: `ray stop` would end every node of the
machine, whoever started it.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from assay.base.errors import ConflictError, HostError, InputError
from assay.base.extras import need_package
from assay.measurement.fleet.cluster import ROLE
from assay.measurement.fleet.ray.sockets import listening_sockets, unpromised
from assay.system.server import home, is_loopback
from assay.system.server.process import ProcessId

_MARK = "ASSAY_FLEET_NODE"
_WITHOUT_CLUSTER = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Variable of Ray: with 0 a head stays on loopback, as on systems where it has no clusters."""
_STARTS_S = 90.0
_ENDS_S = 2.0
_STORE_BYTES = 75 << 20  # the least that Ray takes; nothing of ours goes through it
_PORTS = (
    "--node-manager-port",
    "--object-manager-port",
    "--dashboard-agent-listen-port",
    "--dashboard-agent-grpc-port",
    "--runtime-env-agent-port",
    "--metrics-export-port",
)
_WORKER_PORTS = 40
_ADDRESS, _HEAD = "address", "head"
"""Files in the folder of a node: its own address, and that of the head with its port."""
RESOURCE_OF = {"generator": "generator", "server": "server_host"}
"""What a host has one of, by its role."""


def require_ray() -> None:
    """Raises `HostError` where Ray is not installed."""
    need_package("ray", "fleet", 'backend = "ray"')


def ray_environment(token_file: Path) -> dict[str, str]:
    """Returns the variables under which Ray asks for the token of a fleet, everywhere, and does not look at a
    host's memory.
    """
    return {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(token_file.absolute()),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_DEFAULT_PYTHON_VERSION_MATCH_LEVEL": "minor",
        "RAY_memory_monitor_refresh_ms": "0",
    }


def refuse_open_network(address: str, *, trust_network: bool) -> str | None:
    """Raises `InputError` for an address beyond loopback without TLS, unless the network is trusted; returns
    a warning where it is.
    """
    if is_loopback(address) or os.environ.get("RAY_USE_TLS") == "1":
        return None
    if not trust_network:
        raise InputError(
            f"a Ray node at {address} would send the fleet's token over the network in clear",
            hint="set RAY_USE_TLS=1 and Ray's certificates, or give --trust-network where nobody else"
            " listens",
        )
    return (
        "Ray sends the fleet's token in clear: whoever listens to this network can run programs on its hosts"
    )


def start_node(
    *,
    head: str | None,
    address: str,
    port: int,
    first_port: int,
    labels: Mapping[str, str],
    token_file: Path,
    trust_network: bool = False,
    folder: Path | None = None,
) -> None:
    """Starts a node at an address of this machine: the head, or one that joins the head at `head`.

    `port` is the head's own, `first_port` the first of the others (0: any); `folder` is where Ray keeps
    sockets and logs. Unless the network is trusted or TLS guards it, the node may listen at loopback and at
    its own address alone. Raises `HostError` where it does not start or listens elsewhere, `ConflictError`
    where one of ours runs.
    """
    require_ray()
    folder = folder or home() / "fleet" / "ray"
    if node_processes(folder):
        raise ConflictError("this machine is part of a fleet already", hint="run `assay fleet leave` first")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)  # Ray makes what is in it for every user
    resources = {name: 1 for role, name in RESOURCE_OF.items() if role == labels[ROLE]}
    command = [sys.executable, "-m", "ray.scripts.scripts", "start"]
    command += ["--head", f"--port={port}"] if head is None else [f"--address={head}"]
    command += [
        f"--node-ip-address={address}",
        "--num-cpus=0",  # else Ray starts as many workers ahead
        f"--resources={json.dumps(resources)}",
        f"--labels={','.join(f'{name}={value}' for name, value in labels.items())}",
        "--include-log-monitor=false",
        "--disable-usage-stats",
        f"--object-store-memory={_STORE_BYTES}",
        *_port_options(first_port),
    ]
    if head is None:
        command += ["--include-dashboard=false", f"--temp-dir={folder}"]
    environment = ray_environment(token_file) | {_MARK: f"{secrets.token_hex(8)}@{folder}"}
    if head is None and is_loopback(address) and not trust_network:
        # Else Ray takes the machine's own address in its place.
        environment[_WITHOUT_CLUSTER] = "0"
    _run(command, environment, folder)
    if not trust_network and os.environ.get("RAY_USE_TLS") != "1":
        _require_promised(address, folder)
    (folder / _ADDRESS).write_text(address)
    (folder / _HEAD).write_text(head or f"{address}:{port}")


def _require_promised(address: str, folder: Path) -> None:
    """Ends the node where it listens at another address than was promised. Raises `HostError` then."""
    own = [process.pid for process in node_processes(folder)]
    elsewhere = unpromised(listening_sockets(own), address)
    if elsewhere:
        stop_node(folder)
        raise HostError(
            f"the Ray node listens at {', '.join(map(str, elsewhere[:4]))}, not at {address} alone, so it was"
            " ended",
            hint="give --trust-network where nobody else reaches this machine, or set RAY_USE_TLS=1 and Ray's"
            " certificates",
        )


def own_address(folder: Path | None = None) -> str | None:
    """Returns the address of this machine's node; None where there is none."""
    return _noted(_ADDRESS, folder)


def joined_head(folder: Path | None = None) -> str | None:
    """Returns the address of the head whose cluster this machine is in, as in 192.0.2.10:6379; None where it
    is in none.
    """
    return _noted(_HEAD, folder)


def _noted(what: str, folder: Path | None) -> str | None:
    try:
        return ((folder or home() / "fleet" / "ray") / what).read_text()
    except OSError:
        return None


def _port_options(first: int) -> list[str]:
    if first == 0:
        return []
    fixed = [f"{name}={first + number}" for number, name in enumerate(_PORTS)]
    workers = first + len(_PORTS)
    return [*fixed, f"--min-worker-port={workers}", f"--max-worker-port={workers + _WORKER_PORTS}"]


def _run(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    log = folder / "start.log"
    with log.open("wb") as said:
        try:
            code: int | None = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                env={**os.environ, **environment},
                timeout=_STARTS_S,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            code = None
    if code != 0:
        stop_node(folder)
        what = f"ended with exit code {code}" if code is not None else f"took longer than {_STARTS_S:g} s"
        raise HostError(
            f"the Ray node did not start: `ray start` {what}",
            hint=f"see {log}; check the address, the token file, and that the ports are free",
            detail="\n".join(log.read_text(errors="replace").splitlines()[-12:]),
        )


def node_processes(folder: Path | None = None) -> list[ProcessId]:
    """Returns the processes of this machine's node of a fleet, with all that they have started."""
    ending = f"@{folder or home() / 'fleet' / 'ray'}"
    marked, children = [], defaultdict(list)
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            variables = (entry / "environ").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            continue
        children[parent].append(int(entry.name))
        marks = [one for one in variables if one.startswith(_MARK.encode() + b"=")]
        if any(os.fsdecode(mark).endswith(ending) for mark in marks):
            marked.append(int(entry.name))
    found: dict[int, ProcessId | None] = {}
    while marked:
        pid = marked.pop()
        if pid not in found:
            found[pid] = ProcessId.of(pid)
            marked += children[pid]  # Ray's programs in Python write their title over their environment
    return [process for process in found.values() if process is not None]


def stop_node(folder: Path | None = None) -> int:
    """Ends the processes of this machine's node; returns how many there were."""
    ended = 0
    while processes := node_processes(folder):  # one may start another while it ends
        with ThreadPoolExecutor(len(processes)) as pool:
            list(pool.map(lambda process: process.stop(patience_s=_ENDS_S), processes))
        ended += len(processes)
    for what in (_ADDRESS, _HEAD):
        ((folder or home() / "fleet" / "ray") / what).unlink(missing_ok=True)
    return ended
