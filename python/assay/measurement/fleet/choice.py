"""The backend that a fleet file chooses."""

from __future__ import annotations

from collections.abc import Sequence

from assay.measurement.fleet.agents.backend import AgentBackend
from assay.measurement.fleet.agents.remote import AgentAddress
from assay.measurement.fleet.agents.token import read_token
from assay.measurement.fleet.contract import Backend
from assay.measurement.fleet.file import FleetFile, HostEntry
from assay.measurement.fleet.local import LocalBackend
from assay.measurement.fleet.ray.backend import RayBackend


def backend_of(file: FleetFile, *, allow_same_machine: bool = False) -> Backend:
    """Returns the backend of a fleet file. Raises `InputError` where its token cannot be read."""
    loops = file.loops()
    match file.backend:
        case "local":
            return LocalBackend()
        case "ray":
            assert file.address is not None
            return RayBackend(
                file.address, file.token_file, loops=loops, allow_same_machine=allow_same_machine
            )
        case _:
            return AgentBackend(
                agents_of(file, file.generators()),
                read_token(file.token_file),
                loops=loops,
                allow_same_machine=allow_same_machine,
            )


def agents_of(file: FleetFile, hosts: Sequence[HostEntry]) -> list[AgentAddress]:
    """Returns where the agents of these hosts of a fleet file listen. Those of a Ray cluster, for generators
    and for servers, do not stand in the file: they are started. Raises `HostError` where that fails, or there
    is no host for generators.
    """
    if file.address is not None:
        cluster = RayBackend(file.address, file.token_file)
        return cluster.agents([*cluster.hosts("generator"), *cluster.hosts_in("server")])
    return [host.address for host in hosts if host.address is not None]
