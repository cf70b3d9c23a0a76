"""One load from several generators: their shares, their common start, and one result of them all."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.measurement.fleet.agents.agent import Agent, serve_agent
    from assay.measurement.fleet.agents.backend import AgentBackend
    from assay.measurement.fleet.agents.ceilings import kept_ceilings
    from assay.measurement.fleet.agents.checking import CheckedFleet, check_fleet
    from assay.measurement.fleet.agents.leftovers import sweep_generators
    from assay.measurement.fleet.agents.remote import AgentAddress, clock_of, facts_of
    from assay.measurement.fleet.agents.remote_block import ArrivedRun, RemoteBlock, UnkeptFile
    from assay.measurement.fleet.agents.token import make_token, read_token, token_path
    from assay.measurement.fleet.block_generators import BlockGenerators
    from assay.measurement.fleet.block_hosts import BlockHosts, block_hosts
    from assay.measurement.fleet.choice import agents_of, backend_of
    from assay.measurement.fleet.clock import ClockOffset, ClockReading
    from assay.measurement.fleet.cluster import (
        AGENT_PORT,
        FIRST_PORT,
        HEAD_PORT,
        HOST,
        NODE_ROLES,
        ROLE,
        ZONE,
    )
    from assay.measurement.fleet.contract import Backend, FleetHost, Generator, Reach, Share
    from assay.measurement.fleet.file import FleetFile, read_fleet_file
    from assay.measurement.fleet.load import run_fleet
    from assay.measurement.fleet.loading import load_with_fleet
    from assay.measurement.fleet.local import LocalBackend
    from assay.measurement.fleet.ray.backend import RayBackend
    from assay.measurement.fleet.ray.node import (
        joined_head,
        refuse_open_network,
        start_node,
        stop_node,
    )
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "AGENT_PORT",
    "FIRST_PORT",
    "HEAD_PORT",
    "HOST",
    "NODE_ROLES",
    "ROLE",
    "ZONE",
    "Agent",
    "AgentAddress",
    "AgentBackend",
    "ArrivedRun",
    "Backend",
    "BlockGenerators",
    "BlockHosts",
    "CheckedFleet",
    "ClockOffset",
    "ClockReading",
    "FleetFile",
    "FleetHost",
    "Generator",
    "LocalBackend",
    "RayBackend",
    "Reach",
    "RemoteBlock",
    "Share",
    "UnkeptFile",
    "agents_of",
    "backend_of",
    "block_hosts",
    "check_fleet",
    "clock_of",
    "facts_of",
    "joined_head",
    "kept_ceilings",
    "load_with_fleet",
    "make_token",
    "read_fleet_file",
    "read_token",
    "refuse_open_network",
    "run_fleet",
    "serve_agent",
    "start_node",
    "stop_node",
    "sweep_generators",
    "token_path",
]
