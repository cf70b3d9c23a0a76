"""What a lab asks of the hosts that carry blocks out: a look at what they have, and blocks."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from assay.base.errors import AssayError, HostError
from assay.base.wording import counted
from assay.design.folder import Doubted, Failure
from assay.design.plan import Plan, PlannedRun
from assay.design.study import StudyText
from assay.measurement.fleet import BlockHosts, RemoteBlock, kept_ceilings
from assay.measurement.run.hosts.messages import (
    BlockEnded,
    BlockLine,
    BlockLooked,
    BlockOrder,
    BuildEntry,
    GeneratorHost,
    decode_block_line,
)


@dataclass(frozen=True)
class Orders:
    """Makes the orders of a study."""

    plan: Plan
    source: StudyText
    hosts: BlockHosts

    def look(self, host: str) -> BlockOrder:
        return self.block(host, [])

    def block(self, host: str, runs: Sequence[PlannedRun]) -> BlockOrder:
        return BlockOrder(
            path=str(self.source.path),
            text=self.source.kept,
            hash=self.plan.study_hash,
            seed=self.plan.seed,
            ordering=self.plan.ordering,
            data_loads=self.plan.data_loads,
            host=host,
            runs=[run.run_id for run in runs],
            doubts=self._doubts,
            generators=self._generators(host),
            allow_same_machine=self.hosts.allow_same_machine,
            ceilings={} if self.hosts.generators is None else dict(kept_ceilings()),
        )

    def _generators(self, host: str) -> list[GeneratorHost]:
        load = self.hosts.generators
        if load is None:
            return []
        return [
            GeneratorHost(
                host=agent.host, address=agent.address, port=agent.port, loops=load.loops.get(agent.host)
            )
            for agent in load.agents(host, self.hosts.token)
        ]

    @cached_property
    def _doubts(self) -> list[Doubted]:
        if not self.hosts.allow_same_machine or len(self.hosts.agents) < 2:
            return []
        facts = self.hosts.joined()
        machines = len({one.machine for one in facts.values()})
        if machines == len(facts):
            return []
        return [
            Doubted(
                kind="hosts-share-machine",
                message=f"the {len(facts)} hosts that carry blocks out are"
                f" {counted(machines, 'machine')}, so servers of two blocks took each other's processors",
                value=float(machines),
                limit=float(len(facts)),
            )
        ]


def looked(orders: Orders, hosts: BlockHosts) -> Mapping[str, list[BuildEntry]]:
    """Asks every host whether it can carry the study out, and with which builds. Raises the error of the
    first that cannot.
    """

    def look(host: str) -> list[BuildEntry]:
        found: list[BlockLine] = []
        order = msgspec.to_builtins(orders.look(host))
        block = RemoteBlock(
            hosts.agents[host],
            hosts.token,
            order,
            Path(os.devnull),
            lambda line: found.append(block_line(line)),
        )
        block.carry_out()
        for one in found:
            if isinstance(one, BlockEnded) and one.error is not None:
                raise error_of(host, one.error)
        return next((one.builds for one in found if isinstance(one, BlockLooked)), [])

    with ThreadPoolExecutor(len(hosts.agents)) as pool:
        return dict(zip(hosts.agents, pool.map(look, hosts.agents), strict=True))


def check_builds(builds: Mapping[str, list[BuildEntry]]) -> None:
    """Raises `HostError` where two hosts have different builds under one name: their blocks would be of
    different treatments.
    """
    first, *others = builds
    for host in others:
        for one, other in zip(builds[first], builds[host], strict=True):
            if one.sha256 != other.sha256:
                raise HostError(
                    f"{first} and {host} have different builds of {one.use}: {one.version}"
                    f" ({one.sha256[:12]}) and {other.version} ({other.sha256[:12]})",
                    hint=f"install the same build on all hosts, such as `assay server get {one.use}`, or name"
                    " hosts that have it in server.on",
                )


def block_line(line: bytes) -> BlockLine:
    try:
        return decode_block_line(line)
    except msgspec.DecodeError as broken:
        raise HostError(f"a host sent a line that is none of a lab's: {broken}") from broken


_ERRORS = {one.__name__: one for one in AssayError.__subclasses__()}


def error_of(host: str, failure: Failure) -> AssayError:
    """Returns the error that ended a lab on a host, as an error of this one."""
    kind = _ERRORS.get(failure.kind, AssayError)
    return kind(f"{host}: {failure.message}", hint=failure.hint, detail=failure.detail)
