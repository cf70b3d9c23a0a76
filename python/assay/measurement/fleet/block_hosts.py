"""The hosts of a fleet that carry whole blocks out, each with its own server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.base.errors import HostError, InputError
from assay.measurement.fleet.agents.backend import refuse_other_builds, refuse_same_machine
from assay.measurement.fleet.agents.facts import HostFacts, own_facts
from assay.measurement.fleet.agents.remote import AgentAddress, facts_of
from assay.measurement.fleet.agents.token import read_token
from assay.measurement.fleet.block_generators import BlockGenerators, share_generators
from assay.measurement.fleet.file import FleetFile, HostEntry
from assay.measurement.fleet.ray.backend import RayBackend


@dataclass(frozen=True)
class BlockHosts:
    """Agents that carry blocks out, by the names of their hosts, and the token of their fleet. `cluster` has
    started them, and ends them. `generators` are hosts for the generators of their blocks; None: those run on
    the host of the block.
    """

    agents: Mapping[str, AgentAddress]
    token: bytes
    allow_same_machine: bool = False
    cluster: RayBackend | None = None
    generators: BlockGenerators | None = None

    def joined(self) -> Mapping[str, HostFacts]:
        """Returns what the hosts are. Raises `HostError` where one, or a host of its generators, cannot be
        reached, has another build of Assay, or is the machine of another and `allow_same_machine` does not
        allow that.
        """
        facts = {name: facts_of(agent, self.token) for name, agent in self.agents.items()}
        all_facts, what = dict(facts), "servers"
        if self.generators is not None:
            all_facts |= self.generators.joined(self.token)
            what = "servers and generators"
        refuse_other_builds(all_facts, own_facts())
        if not self.allow_same_machine:
            refuse_same_machine(all_facts, what)
        return facts

    def loaded_by(self) -> dict[str | None, list[str]]:
        """Returns the hosts whose generators load the blocks of each host; none: those run beside the
        server.
        """
        load = None if self.generators is None else self.generators.of
        return {host: [] if load is None else [one.name for one in load[host]] for host in self.agents}

    def is_there(self, host: str) -> bool:
        """Returns whether the agent of a host answers."""
        try:
            facts_of(self.agents[host], self.token)
        except HostError:
            return False
        return True


def block_hosts(
    file: FleetFile,
    on: str,
    *,
    lab: Sequence[str] = (),
    allow_same_machine: bool = False,
    generators: bool = False,
) -> BlockHosts:
    """Returns the hosts of a fleet file, or of its Ray cluster, that `server.on` names. On those of a cluster
    an agent is started, which carries blocks out with the arguments `lab` of its Python. With `generators`,
    each has those hosts for generators that are its share, where the fleet has any.

    Raises `InputError` where there is none, or where the backend has no agents, and `HostError` where there
    are too few for generators.
    """
    if file.backend == "local":
        raise InputError(
            f'{file.path}: backend = "local" has no other hosts to carry blocks out',
            hint='write backend = "agents", and start `assay fleet agent --servers` on each host, or "ray",'
            " and run `assay fleet join --role server` on each",
        )
    cluster = None if file.address is None else RayBackend(file.address, file.token_file)
    hosts = file.hosts if cluster is None else cluster.hosts("server")
    chosen = [host for host in hosts if _is_meant(host, on)]
    if not chosen:
        known = ", ".join(_described(host) for host in hosts)
        raise InputError(
            f'{file.path}: server.on = "{on}" fits no host; there are {known}',
            hint='name one of them, or give hosts a label: role = "server" under [[host]], or --role and'
            " --zone of `assay fleet join`",
        )
    load = _generators(file, chosen, cluster) if generators else None
    addresses = [host.address for host in chosen if host.address is not None]
    if cluster is not None:
        addresses = cluster.agents(chosen, lab)
    agents = {address.host: address for address in addresses}
    return BlockHosts(agents, read_token(file.token_file), allow_same_machine, cluster, load)


def _generators(
    file: FleetFile, servers: Sequence[HostEntry], cluster: RayBackend | None
) -> BlockGenerators | None:
    there = file.generators() if cluster is None else cluster.hosts_in("generator")
    if not there:
        return None
    shared = share_generators(servers, there)
    return BlockGenerators(shared, file.loops(), file.token_file, file.address)


def _is_meant(host: HostEntry, on: str) -> bool:
    if "=" not in on:
        return host.name == on
    labels = {"role": host.role, "zone": host.zone}
    return all(labels[key] == value for key, _, value in (term.partition("=") for term in on.split(",")))


def _described(host: HostEntry) -> str:
    zone = "" if host.zone is None else f", zone={host.zone}"
    return f"{host.name} (role={host.role}{zone})"
