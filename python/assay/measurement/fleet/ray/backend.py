"""The backend `ray`: generators on the hosts of a Ray cluster, which places and starts their agents.

Ray carries nothing else: jobs, events, commands and clocks go over the agents' own connections. An agent is a
child of a Ray worker and ends with its standard input, so with the worker, the raylet, or this process.
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.base.errors import HostError
from assay.design.folder import Doubt
from assay.measurement.fleet.agents.backend import AgentBackend
from assay.measurement.fleet.agents.remote import AgentAddress, RemoteGenerator
from assay.measurement.fleet.agents.token import read_token
from assay.measurement.fleet.cluster import HOST, ROLE, ZONE
from assay.measurement.fleet.contract import FleetHost, Reach, Share
from assay.measurement.fleet.file import HostEntry
from assay.measurement.fleet.ray.node import RESOURCE_OF, own_address, ray_environment, require_ray

_STARTED_S = 120.0


class AgentStarter:
    """An actor of Ray that starts the agent of its node."""

    def __init__(self) -> None:
        self._agent: subprocess.Popen[bytes] | None = None

    def start(self, address: str, lab: Sequence[str]) -> int:
        """Starts the agent at an address of this node, with this node's own token; returns its port. `lab` is
        as of the agent's `main`.
        """
        token = read_token(Path(os.environ["RAY_AUTH_TOKEN_PATH"]))
        self._agent = subprocess.Popen(
            [sys.executable, "-m", "assay.measurement.fleet.agents.agent", address, *lab],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._agent.stdin is not None
        assert self._agent.stdout is not None
        self._agent.stdin.write(token + b"\n")
        self._agent.stdin.flush()
        return int(self._agent.stdout.readline())


class RayBackend:
    """Generators on the nodes of a cluster that have joined it as generators.

    `address` is that of the head, whose machine or a joined one this must be. `loops` are event loops by
    host, as in `AgentBackend`; `folder` is that of this machine's node. Raises `HostError` where Ray is not
    installed.
    """

    name = "ray"
    lead_s = AgentBackend.lead_s

    def __init__(
        self,
        address: str,
        token_file: Path,
        *,
        loops: Mapping[str, int] | None = None,
        allow_same_machine: bool = False,
        folder: Path | None = None,
    ) -> None:
        require_ray()
        self._folder = folder
        self._address = address
        self._token_file = token_file
        self._token = read_token(token_file)
        self._loops = dict(loops or {})
        self._allow_same_machine = allow_same_machine
        self._actors: list[Any] = []
        self._agents: AgentBackend | None = None

    def join(self) -> Sequence[FleetHost]:
        if self._agents is not None:
            try:
                return self._agents.join()
            except HostError:
                self.close()  # those that are left would keep their hosts from the new ones
        addresses = self.agents(self.hosts("generator"))
        self._agents = AgentBackend(
            addresses, self._token, loops=self._loops, allow_same_machine=self._allow_same_machine
        )
        return self._agents.join()

    def placed_on(self) -> tuple[str, ...]:
        return tuple(sorted(host.name for host in self.hosts("generator")))

    def reach(self) -> Reach | None:
        if self._agents is None:
            self.join()
        assert self._agents is not None
        return self._agents.reach()

    def doubts(self, shares: Sequence[Share]) -> Sequence[Doubt]:
        return [] if self._agents is None else self._agents.doubts(shares)

    def ceiling_qps(self, shares: Sequence[Share]) -> float | None:
        return None if self._agents is None else self._agents.ceiling_qps(shares)

    @contextmanager
    def place(self, shares: Sequence[Share], env: Mapping[str, str]) -> Iterator[Sequence[RemoteGenerator]]:
        if self._agents is None:
            self.join()
        assert self._agents is not None
        with self._agents.place(shares, env) as generators:
            yield generators

    def close(self) -> None:
        """Ends the agents, and gives their hosts back."""
        if not self._actors:
            return
        import ray

        with suppress(Exception):  # the cluster may be gone, in whatever way
            for actor in self._actors:
                ray.kill(actor)
        self._actors, self._agents = [], None

    def hosts_in(self, role: str) -> list[HostEntry]:
        """Returns the hosts that have joined in a role. Raises `HostError` where the cluster cannot be
        reached.
        """
        return [
            HostEntry(
                name=node["Labels"][HOST],
                role=role,
                zone=node["Labels"].get(ZONE),
                address=AgentAddress(node["Labels"][HOST], node["NodeManagerAddress"], 0),
                loops=None,
            )
            for node in self.nodes()
            if node["Labels"].get(ROLE) == role
        ]

    def hosts(self, role: str) -> list[HostEntry]:
        """Returns the hosts that have joined in a role. Raises `HostError` where there is none, or where the
        cluster cannot be reached.
        """
        found = self.hosts_in(role)
        if not found:
            raise HostError(
                f"no host has joined the fleet at {self._address} as a {role}",
                hint=f"run `assay fleet join {self._address} --role {role}` on it",
            )
        return found

    def nodes(self) -> list[dict[str, Any]]:
        """Returns the nodes of the cluster as Ray describes them. Raises `HostError` where it cannot be
        reached.
        """
        self._connect()
        import ray

        return [node for node in ray.nodes() if node["Alive"]]

    def _connect(self) -> None:
        # Ray reads these once, when it is imported.
        os.environ.update(ray_environment(self._token_file))
        import ray

        if ray.is_initialized():
            return
        try:
            ray.init(
                address=self._address,
                _node_ip_address=own_address(self._folder),
                log_to_driver=False,
                configure_logging=True,
                logging_level=logging.ERROR,
            )
        except Exception as error:  # Ray raises of every kind
            raise HostError(
                f"cannot join the Ray cluster at {self._address}: {str(error).splitlines()[0]}",
                hint="run `assay fleet head` or `assay fleet join` on this machine, with this token file",
            ) from error
        atexit.register(self.close)

    def agents(self, hosts: Sequence[HostEntry], lab: Sequence[str] = ()) -> list[AgentAddress]:
        """Starts an agent on each of these hosts, all or none; returns where they listen. They live as long
        as this object. With `lab` they carry out blocks, by these arguments of the Python there. Raises
        `HostError` as `join` does.

        Each host is asked for by itself. A placement group would ask for all at once, but Ray may place
        none any more once it loses a node while a group is removed (ray-project/ray#64693).
        """
        import ray

        starter = ray.remote(AgentStarter)  # not at the top: this module must not import Ray
        starts = {}
        for host in hosts:
            assert host.address is not None
            actor = starter.options(
                num_cpus=0,
                resources={RESOURCE_OF[host.role]: 1},  # a host has one
                label_selector={HOST: host.name},
                max_restarts=0,
            ).remote()
            self._actors.append(actor)
            starts[actor.start.remote(host.address.address, list(lab))] = host.address
        _, missing = ray.wait(list(starts), num_returns=len(starts), timeout=_STARTED_S)
        if missing:
            self.close()
            names = ", ".join(sorted(starts[one].host for one in missing))
            raise HostError(
                f"Ray cannot have an agent on {names}",
                hint="another study may use the host; see `assay fleet status`",
            )
        addresses = []
        for start, where in starts.items():
            try:
                port = ray.get(start)
            except Exception as error:
                self.close()
                raise HostError(
                    f"Ray cannot start the agent of {where.host}: {str(error).splitlines()[-1]}",
                    hint="install the same Assay there, and see `assay fleet status`",
                ) from error
            addresses.append(replace(where, port=port))
        return addresses
