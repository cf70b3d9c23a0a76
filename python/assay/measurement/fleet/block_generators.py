"""Hosts for the generators of blocks that are carried out on other hosts. Each of those has its own, since
the loads of two blocks would disturb each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.errors import HostError
from assay.measurement.fleet.agents.facts import HostFacts
from assay.measurement.fleet.agents.remote import AgentAddress, facts_of
from assay.measurement.fleet.file import HostEntry
from assay.measurement.fleet.ray.backend import RayBackend


@dataclass(frozen=True)
class BlockGenerators:
    """Hosts for generators, by the host whose blocks they load. `head` is that of the Ray cluster that starts
    their agents; None: they listen where the entries say.
    """

    of: Mapping[str, Sequence[HostEntry]]
    loops: Mapping[str, int]
    token_file: Path
    head: str | None = None
    _clusters: dict[str, RayBackend] = field(default_factory=dict)
    _placed: dict[str, list[AgentAddress]] = field(default_factory=dict)

    def agents(self, host: str, token: bytes) -> list[AgentAddress]:
        """Returns where the agents listen that load the blocks of a host. Those of a cluster are started; if
        one of them is gone, all of that host's are started anew. Raises `HostError` where that fails.
        """
        entries = self.of[host]
        if self.head is None:
            return [entry.address for entry in entries if entry.address is not None]
        if host not in self._placed or not _all_there(self._placed[host], token):
            if host not in self._clusters:
                self._clusters[host] = RayBackend(self.head, self.token_file)
            self._clusters[host].close()
            self._placed[host] = self._clusters[host].agents(entries)
        return self._placed[host]

    def close(self) -> None:
        """Ends the agents that were started in a cluster."""
        for cluster in self._clusters.values():
            cluster.close()
        self._placed.clear()

    def joined(self, token: bytes) -> Mapping[str, HostFacts]:
        """Returns what all these hosts are. Raises `HostError` where one cannot be reached."""
        agents = [agent for host in self.of for agent in self.agents(host, token)]
        return {agent.host: facts_of(agent, token) for agent in agents}


def share_generators(
    servers: Sequence[HostEntry], generators: Sequence[HostEntry]
) -> dict[str, list[HostEntry]]:
    """Returns the hosts for generators of each host that carries blocks out: those of its zone, where every
    zone has some, else of all. Hosts of one zone have as many each, so some may be left over.

    Raises `HostError` where there are fewer than hosts that carry blocks out.
    """
    zones: dict[str | None, list[HostEntry]] = {}
    for server in servers:
        zones.setdefault(server.zone, []).append(server)
    near = {zone: [one for one in generators if one.zone == zone] for zone in zones}
    if not all(near.values()):
        zones, near = {None: list(servers)}, {None: list(generators)}
    shared: dict[str, list[HostEntry]] = {}
    for zone, there in zones.items():
        each = len(near[zone]) // len(there)
        if each == 0:
            raise HostError(
                f"{', '.join(one.name for one in there)} carry blocks out at the same time, and there are"
                f" fewer hosts for their generators: {', '.join(one.name for one in near[zone])}",
                hint="let as many hosts join for generators, or name fewer in server.on",
            )
        for number, server in enumerate(there):
            shared[server.name] = near[zone][number * each : (number + 1) * each]
    return shared


def _all_there(agents: Sequence[AgentAddress], token: bytes) -> bool:
    try:
        for agent in agents:
            facts_of(agent, token)
    except HostError:
        return False
    return True
