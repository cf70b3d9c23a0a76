"""Servers: found, made, started, verified, stopped, snapshot. Flavours and versions are data."""

from typing import TYPE_CHECKING

from assay.lazy import lazily
from assay.server.home import home

if TYPE_CHECKING:
    from assay.server.address import Address, parse_dsn
    from assay.server.connection import Connection
    from assay.server.data.data_directory import DATABASE, initialise
    from assay.server.data.fixed_files import fit_files
    from assay.server.data.snapshot import snapshot_copy
    from assay.server.data.space import disk_use, require_space
    from assay.server.facts import server_facts
    from assay.server.process.instance import Instance
    from assay.server.process.private import PrivateDir, sweep_dead
    from assay.server.release.build import Build
    from assay.server.release.find import find_build
    from assay.server.release.get import get_release
    from assay.server.resources.client_network import ClientNetwork
    from assay.server.resources.hosting import Hosting, find_allocator, parse_cpus
    from assay.server.resources.numa import parse_numa
    from assay.server.resources.volumes import Layout, Volumes
    from assay.server.running import RunningServer
    from assay.server.status import StatusSource
    from assay.server.variables.check import check_variables
    from assay.server.variables.translate import known_only
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "DATABASE",
    "Address",
    "Build",
    "ClientNetwork",
    "Connection",
    "Hosting",
    "Instance",
    "Layout",
    "PrivateDir",
    "RunningServer",
    "StatusSource",
    "Volumes",
    "check_variables",
    "disk_use",
    "find_allocator",
    "find_build",
    "fit_files",
    "get_release",
    "home",
    "initialise",
    "known_only",
    "parse_cpus",
    "parse_dsn",
    "parse_numa",
    "require_space",
    "server_facts",
    "snapshot_copy",
    "sweep_dead",
]
