"""Servers: found, made, started, verified, stopped, snapshot. Flavours and versions are data."""

from assay.server.address import Address, Connection, parse_dsn
from assay.server.build import Build
from assay.server.check import check_variables
from assay.server.client_network import ClientNetwork
from assay.server.data_directory import DATABASE, initialise
from assay.server.facts import server_facts
from assay.server.find import find_build
from assay.server.fixed_files import fit_files
from assay.server.get import get_release
from assay.server.home import home
from assay.server.hosting import Hosting, find_allocator, parse_cpus
from assay.server.instance import Instance
from assay.server.numa import parse_numa
from assay.server.private import PrivateDir, sweep_dead
from assay.server.running import RunningServer
from assay.server.settle import Settled, settle
from assay.server.snapshot import snapshot_copy
from assay.server.space import disk_use, require_space
from assay.server.status import StatusSource
from assay.server.translate import known_only
from assay.server.volumes import Layout, Volumes

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
    "Settled",
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
    "settle",
    "snapshot_copy",
    "sweep_dead",
]
