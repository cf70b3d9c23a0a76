"""The backend `agents`: generators beside agents whose addresses are known."""

from __future__ import annotations

import secrets
import socket
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress

import msgspec

from assay.base.errors import HostError
from assay.base.format.job import Target
from assay.design.folder import Doubt
from assay.measurement.fleet.agents.agent import FREE_S
from assay.measurement.fleet.agents.ceilings import Ceilings, kept_ceilings, reached_together
from assay.measurement.fleet.agents.facts import HostFacts, own_facts
from assay.measurement.fleet.agents.remote import ANSWERS_S, AgentAddress, Met, RemoteGenerator, called, met
from assay.measurement.fleet.contract import FleetHost, Reach, Share
from assay.measurement.fleet.shares import connections_of
from assay.system.server import is_loopback


class AgentBackend:
    """Generators on hosts on which agents listen.

    `loops`: event loops of a load on a host, by its name; as many as it has processors where it has none.
    `allow_same_machine`: two hosts may be one machine, and a generator may be on the server's. `ceilings` are
    those that a check of the fleet has kept; None: on this machine.
    """

    name = "agents"
    lead_s = 2.0

    def __init__(
        self,
        agents: Sequence[AgentAddress],
        token: bytes,
        *,
        loops: Mapping[str, int] | None = None,
        allow_same_machine: bool = False,
        ceilings: Ceilings | None = None,
    ) -> None:
        self._ceilings = ceilings
        self._agents = {one.host: one for one in agents}
        self._token = token
        self._loops = dict(loops or {})
        self._allow_same_machine = allow_same_machine
        self._met: dict[str, Met] = {}

    def join(self) -> Sequence[FleetHost]:
        if not self._agents:
            raise HostError(
                "the fleet has no host for a generator",
                hint='name one in fleet.toml: [[host]] with role = "generator"',
            )
        self._met = {name: met(one, self._token) for name, one in self._agents.items()}
        facts = {name: one.facts for name, one in self._met.items()}
        refuse_other_builds(facts, own_facts())
        if not self._allow_same_machine:
            refuse_same_machine(facts)
        return [
            FleetHost(name, one.processors, self._loops.get(name, one.processors))
            for name, one in facts.items()
        ]

    def placed_on(self) -> tuple[str, ...]:
        return tuple(self._agents)

    def reach(self) -> Reach:
        if not self._met:
            self.join()
        own = [name for name, one in self._met.items() if one.facts.machine == own_facts().machine]
        if own and not self._allow_same_machine:
            raise HostError(
                f"a server here would have generators beside it: {' and '.join(own)} is this machine",
                hint="name other hosts in fleet.toml, or give --allow-same-machine",
            )
        here = {one.here: name for name, one in self._met.items()}
        if len(here) > 1:
            ways = " and ".join(f"{name} at {address}" for address, name in here.items())
            raise HostError(
                f"this machine meets the generators at several addresses ({ways}), and a server listens at"
                " one",
                hint="give all agents addresses in one network",
            )
        return Reach(next(iter(here)), tuple(dict.fromkeys(one.there for one in self._met.values())))

    def doubts(self, shares: Sequence[Share]) -> Sequence[Doubt]:
        beside = [share for share in shares if self._is_beside_server(share)]
        if not beside:
            return []
        names = ", ".join(share.name for share in beside)
        return [
            Doubt(
                kind="generator-on-server-host",
                message=f"{names}: on the server's machine, so the load and the server take each other's"
                " processors",
                value=float(len(beside)),
                limit=0.0,
            )
        ]

    def ceiling_qps(self, shares: Sequence[Share]) -> float | None:
        loops: Counter[HostFacts] = Counter()
        for share in shares:
            loops[self._met[share.host].facts] += share.loops
        return reached_together(loops, kept_ceilings() if self._ceilings is None else self._ceilings)

    def _is_beside_server(self, share: Share) -> bool:
        target = share.job.target
        if _only_here(target) is None and not _is_own(target.host):
            return target.host == self._agents[share.host].address
        there = self._met.get(share.host)
        return there is not None and there.facts.machine == own_facts().machine

    @contextmanager
    def place(self, shares: Sequence[Share], env: Mapping[str, str]) -> Iterator[Sequence[RemoteGenerator]]:
        self._refuse_ports(shares)
        with ExitStack() as stack:
            generators, load = [], secrets.token_hex(8)
            for share in shares:
                self._refuse_place(share)
                agent = self._agents[share.host]
                want = {
                    "want": "generator",
                    "name": share.name,
                    "load": load,
                    "job": msgspec.json.encode(share.job).decode(),
                    "env": dict(env),
                }
                session = called(agent, self._token, want, patience_s=FREE_S + ANSWERS_S)
                channel, _ = stack.enter_context(session)
                generator = RemoteGenerator(share, agent, self._token, channel)
                stack.callback(generator.leave)
                generators.append(generator)
            yield generators

    def _refuse_ports(self, shares: Sequence[Share]) -> None:
        """Raises `HostError` for a host that has too few ports for the connections of its generators."""
        needed: Counter[str] = Counter()
        for share in shares:
            if share.job.target.socket is None:
                needed[share.host] += connections_of(share.job)
        for name, count in needed.items():
            there = self._met.get(name)
            if there is not None and count > there.facts.ports:
                raise HostError(
                    f"the generators on {name} would have {count:,} connections to one address, and it has"
                    f" {there.facts.ports:,} ports for them",
                    hint="use more hosts for generators, or widen net.ipv4.ip_local_port_range there",
                )

    def _refuse_place(self, share: Share) -> None:
        """Raises `HostError` for a generator on the server's machine, and for one that cannot reach the
        server, as only this machine can.
        """
        if self._is_beside_server(share):
            if not self._allow_same_machine:
                raise HostError(
                    f"generator {share.name} would be on the server's machine, {share.host}",
                    hint="name another host in fleet.toml, or give --allow-same-machine",
                )
            return
        where = _only_here(share.job.target)
        if where is not None:
            raise HostError(
                f"generator {share.name} on {share.host} cannot reach the server, which listens at {where}",
                hint="measure a server that has an address in the network: [server] use = "
                '"dsn:mysql://user@address:3306/database"',
            )


def _is_own(host: str | None) -> bool:
    """Returns whether an address is one of this machine's: only on those can a socket be bound."""
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
    except OSError:
        return False
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as probe, suppress(OSError):
            probe.bind(address)
            return True
    return False


def _only_here(target: Target) -> str | None:
    if target.socket is not None:
        return target.socket
    host = target.host or "localhost"
    return host if is_loopback(host) else None


def refuse_same_machine(facts: Mapping[str, HostFacts], what: str = "generators") -> None:
    """Raises `HostError` when two hosts are one machine; `what` would run there."""
    names = defaultdict(list)
    for name, one in facts.items():
        names[one.machine].append(name)
    for alike in names.values():
        if len(alike) > 1:
            raise HostError(
                f"the hosts {' and '.join(alike)} are one machine, so their {what} would take"
                " each other's processors",
                hint="leave all but one of them out, or give --allow-same-machine",
            )


def refuse_other_builds(facts: Mapping[str, HostFacts], own: HostFacts) -> None:
    """Raises `HostError` when a host has another version of Assay, or another engine for the same kind of
    processor.
    """
    for name, one in facts.items():
        if (one.version, one.package_sha256) != (own.version, own.package_sha256):
            raise HostError(
                f"{name} has Assay {one.version} ({one.package_sha256[:12]}), and this machine {own.version}"
                f" ({own.package_sha256[:12]})",
                hint=f"install the same wheel on {name}, and start its agent again",
            )
        if one.architecture == own.architecture and one.engine_sha256 != own.engine_sha256:
            raise HostError(
                f"{name} has another engine than this machine ({one.engine_sha256[:12]},"
                f" {own.engine_sha256[:12]})",
                hint=f"install the same wheel on {name}, and start its agent again",
            )
