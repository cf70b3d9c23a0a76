"""Checks a fleet before a load is spent on it: what each host is, how far its clock, what it can drive."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from assay.base.errors import HostError
from assay.measurement.fleet.agents.agent import FREE_S
from assay.measurement.fleet.agents.backend import refuse_other_builds, refuse_same_machine
from assay.measurement.fleet.agents.ceilings import keep_ceilings
from assay.measurement.fleet.agents.facts import HostFacts, own_facts
from assay.measurement.fleet.agents.remote import AgentAddress, called, clock_of, facts_of
from assay.measurement.fleet.clock import ClockReading

_SPARE_S = 30.0
"""How long a ceiling may take beyond its window, and the end of a load before it."""


@dataclass(frozen=True)
class CheckedHost:
    """A host that was asked. `alone_qps` is the ceiling of its generator, `together_qps` that beside those of
    all other hosts; None where they were not measured.
    """

    name: str
    facts: HostFacts
    clock: ClockReading
    loops: int
    alone_qps: float | None = None
    together_qps: float | None = None


@dataclass(frozen=True)
class CheckedFleet:
    """A fleet that was asked; `wrong` are the reasons for which a load would be refused."""

    hosts: tuple[CheckedHost, ...]
    wrong: tuple[str, ...]

    @property
    def sum_qps(self) -> float | None:
        """The ceiling of all generators at the same time."""
        rates = [host.together_qps for host in self.hosts if host.together_qps is not None]
        return sum(rates) if rates else None


def check_fleet(
    agents: Sequence[tuple[AgentAddress, int | None]],
    token: bytes,
    *,
    seconds: float,
    allow_same_machine: bool = False,
) -> CheckedFleet:
    """Asks the agents, each with the event loops of its host or None for all processors.

    `seconds` is the length of a window in which ceilings are measured, one host after another and then all
    together; 0 leaves them out. Ceilings of all together are kept, for the doubts of later
    loads. Raises `HostError` where an agent cannot be asked.
    """
    hosts = []
    for agent, loops in agents:
        facts = facts_of(agent, token)
        try:
            clock = clock_of(agent, token)
        except OSError as error:
            raise HostError(f"cannot read the clock of {agent}: {error}") from error
        hosts.append(CheckedHost(agent.host, facts, clock, loops or facts.processors))
    known = {host.name: host.facts for host in hosts}
    wrong = []
    try:
        refuse_other_builds(known, own_facts())
        if not allow_same_machine:
            refuse_same_machine(known)
    except HostError as error:
        wrong.append(f"{error.message}; {error.hint}")
    if seconds > 0 and not wrong:
        places = [agent for agent, _ in agents]
        alone = [
            ceiling_of(place, token, host.loops, seconds) for place, host in zip(places, hosts, strict=True)
        ]
        with ThreadPoolExecutor(len(hosts)) as pool:
            together = list(
                pool.map(
                    lambda pair: ceiling_of(pair[0], token, pair[1].loops, seconds),
                    zip(places, hosts, strict=True),
                )
            )
        keep_ceilings(
            {host.facts: (host.loops, qps) for host, qps in zip(hosts, together, strict=True) if qps > 0}
        )
        hosts = [
            CheckedHost(host.name, host.facts, host.clock, host.loops, one, all_)
            for host, one, all_ in zip(hosts, alone, together, strict=True)
        ]
    return CheckedFleet(tuple(hosts), tuple(wrong))


def ceiling_of(agent: AgentAddress, token: bytes, loops: int, seconds: float) -> float:
    """Returns the queries/s that a host's generator drives at most. Raises `HostError` where its agent cannot
    measure it.
    """
    want: dict[str, Any] = {"want": "ceiling", "loops": loops, "seconds": seconds}
    with called(agent, token, want, patience_s=seconds + FREE_S + _SPARE_S) as (_, answer):
        return float(answer["ceiling"])
