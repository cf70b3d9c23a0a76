"""The file that says which hosts a fleet has: `fleet.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.base.decoding import toml_tables, whole_number
from assay.base.errors import InputError
from assay.design.study import did_you_mean, named_text
from assay.measurement.fleet.agents.remote import AgentAddress
from assay.measurement.fleet.agents.token import token_path
from assay.measurement.fleet.cluster import AGENT_PORT

BACKENDS = ("agents", "local", "ray")
ROLES = ("generator", "server")
_TABLES = ("fleet", "host")
_FLEET: Mapping[str, type] = {"backend": str, "address": str, "token_file": str}
_HOST: Mapping[str, type] = {"name": str, "role": str, "zone": str, "address": str, "loops": int}
_KINDS: Mapping[type, str] = {str: "text in quotes", int: "a whole number"}
_MOST_LOOPS = 4096
_LARGEST = 4 << 20  # bytes


@dataclass(frozen=True)
class HostEntry:
    """A host of the file. `address` is that of its agent, with its port."""

    name: str
    role: str
    zone: str | None
    address: AgentAddress | None
    loops: int | None


@dataclass(frozen=True)
class FleetFile:
    """A fleet file that was read and checked. `address` is that of the head of a Ray cluster."""

    path: Path
    backend: str
    address: str | None
    token_file: Path
    hosts: tuple[HostEntry, ...]

    def generators(self) -> tuple[HostEntry, ...]:
        """Returns the hosts for generators, in the order of the file."""
        return tuple(host for host in self.hosts if host.role == "generator")

    def loops(self) -> dict[str, int]:
        """Returns the event loops of the hosts that state them, by name."""
        return {host.name: host.loops for host in self.hosts if host.loops is not None}


def read_fleet_file(path: Path) -> FleetFile:
    """Reads a fleet file. Raises `InputError`, which names the file, the key and the nearest right one."""
    try:
        tables = toml_tables(named_text(path, "a fleet's file", _LARGEST))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}") from error
    _known(path, "", tables, _TABLES)
    fleet = tables.get("fleet", {})
    hosts = tables.get("host", [])
    if not isinstance(fleet, dict):
        raise InputError(f"{path}: fleet must be a table: [fleet]")
    if not isinstance(hosts, list) or not all(isinstance(host, dict) for host in hosts):
        raise InputError(f"{path}: host must be a list of tables: [[host]]")
    _typed(path, "fleet", fleet, _FLEET)
    backend = _one_of(path, "fleet.backend", fleet.get("backend", "agents"), BACKENDS)
    entries = tuple(_host(path, number, host, backend) for number, host in enumerate(hosts, start=1))
    _refuse_twice(path, entries)
    if backend == "ray" and "address" not in fleet:
        raise InputError(
            f'{path}: fleet.address is missing: where the head of the Ray cluster is, "192.0.2.10:6379"',
            hint="`assay fleet head` prints it",
        )
    if backend != "ray" and "address" in fleet:
        raise InputError(f'{path}: fleet.address needs backend = "ray"')
    if backend == "agents" and not entries:
        raise InputError(
            f"{path}: the fleet has no [[host]]",
            hint='add one: [[host]] with name = "h1" and address = "192.0.2.1"',
        )
    token = fleet.get("token_file")
    return FleetFile(
        path=path,
        backend=backend,
        address=fleet.get("address"),
        token_file=token_path() if token is None else path.parent / Path(token).expanduser(),
        hosts=entries,
    )


def _host(path: Path, number: int, host: dict[str, Any], backend: str) -> HostEntry:
    key = f"host[{number}]"
    _typed(path, key, host, _HOST)
    name = host.get("name", "")
    if not name:
        raise InputError(f'{path}: {key} needs a name, such as name = "h{number}"')
    address, loops = host.get("address"), host.get("loops")
    if address is None and backend == "agents":
        raise InputError(f'{path}: {key}.address is missing: where the agent of {name} listens, "192.0.2.1"')
    if loops is not None and not 1 <= loops <= _MOST_LOOPS:
        raise InputError(f"{path}: {key}.loops must be between 1 and {_MOST_LOOPS}, not {loops}")
    return HostEntry(
        name=name,
        role=_one_of(path, f"{key}.role", host.get("role", "generator"), ROLES),
        zone=host.get("zone"),
        address=None if address is None else _address(path, f"{key}.address", name, address),
        loops=loops,
    )


def _address(path: Path, key: str, name: str, text: str) -> AgentAddress:
    """Parses `address`, `address:port` or `[address]:port`."""
    bare, port = text, str(AGENT_PORT)
    if text.startswith("["):
        bare, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":") or port
    elif text.count(":") == 1:
        bare, _, port = text.partition(":")
    number = whole_number(port)
    if not bare or number is None or not 1 <= number <= 65_535:
        raise InputError(f'{path}: {key} must be an address, as in "192.0.2.1:{AGENT_PORT}", not "{text}"')
    return AgentAddress(name, bare, number)


def _refuse_twice(path: Path, entries: tuple[HostEntry, ...]) -> None:
    names = [entry.name for entry in entries]
    for number, name in enumerate(names, start=1):
        if name in names[: number - 1]:
            raise InputError(f'{path}: host[{number}].name "{name}" is that of another host')


def _typed(path: Path, table: str, values: Mapping[str, Any], keys: Mapping[str, type]) -> None:
    _known(path, table + ".", values, keys)
    for key, value in values.items():
        kind = keys[key]
        if type(value) is not kind:
            raise InputError(f"{path}: {table}.{key} must be {_KINDS[kind]}, not {value!r}")


def _known(path: Path, table: str, values: Mapping[str, Any], keys: Any) -> None:
    for key in values:
        if key not in keys:
            raise InputError(f"{path}: {table}{key} is not a key of a fleet file{did_you_mean(key, keys)}")


def _one_of(path: Path, key: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise InputError(f'{path}: {key} cannot be "{value}"{did_you_mean(value, known)}')
    return value
