"""Finds, makes, starts, verifies and stops servers, and copies their data; flavours and versions are data."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.base.home import home
    from assay.system.server import flavour, process, release, variables
    from assay.system.server.address import (
        PASSWORD_ENV,
        SECRETS,
        Address,
        Tls,
        is_loopback,
        parse_dsn,
        password_variable,
    )
    from assay.system.server.connection import Connection
    from assay.system.server.connection_threads import connection_threads
    from assay.system.server.counted_waits import WaitCounter
    from assay.system.server.data.data_directory import DATABASE, HAS_ROWS, OF_SERVER, initialise
    from assay.system.server.data.fixed_files import fit_files
    from assay.system.server.data.snapshot import can_share_blocks, forget_cached, snapshot_copy
    from assay.system.server.data.space import (
        disk_use,
        free_bytes,
        nearest_directory,
        require_space,
        space_for_servers,
    )
    from assay.system.server.facts import server_facts
    from assay.system.server.plans import LoggedStatement, explained, statement_log, used_key_parts
    from assay.system.server.process.instance import Instance
    from assay.system.server.process.private import PrivateDir, sweep_dead
    from assay.system.server.purge_lag import purge_lags
    from assay.system.server.quoting import file_name, quoted_name
    from assay.system.server.release.build import Build
    from assay.system.server.release.consent import (
        Consent,
        NotStartedError,
        consent,
        may_read_scripts,
        may_run_scripts,
    )
    from assay.system.server.release.find import find_build, find_only_build
    from assay.system.server.release.get import get_release
    from assay.system.server.replication import (
        ReplicaState,
        Replicating,
        finds_by_gtid,
        replication_variables,
        require_free,
        require_semi_sync,
    )
    from assay.system.server.resources.addresses import fixed_addresses
    from assay.system.server.resources.client_network import ClientNetwork
    from assay.system.server.resources.hosting import Hosting, find_allocator, parse_cpus
    from assay.system.server.resources.memory_group import machine_bytes
    from assay.system.server.resources.numa import parse_numa
    from assay.system.server.resources.volumes import Layout, Volumes, redo_files
    from assay.system.server.running import RunningServer
    from assay.system.server.status import StatusSource
    from assay.system.server.variables.check import check_variables
    from assay.system.server.variables.translate import known_only
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "DATABASE",
    "HAS_ROWS",
    "OF_SERVER",
    "PASSWORD_ENV",
    "SECRETS",
    "Address",
    "Build",
    "ClientNetwork",
    "Connection",
    "Consent",
    "Hosting",
    "Instance",
    "Layout",
    "LoggedStatement",
    "NotStartedError",
    "PrivateDir",
    "ReplicaState",
    "Replicating",
    "RunningServer",
    "StatusSource",
    "Tls",
    "Volumes",
    "WaitCounter",
    "can_share_blocks",
    "check_variables",
    "connection_threads",
    "consent",
    "disk_use",
    "explained",
    "file_name",
    "find_allocator",
    "find_build",
    "find_only_build",
    "finds_by_gtid",
    "fit_files",
    "fixed_addresses",
    "flavour",
    "forget_cached",
    "free_bytes",
    "get_release",
    "home",
    "initialise",
    "is_loopback",
    "known_only",
    "machine_bytes",
    "may_read_scripts",
    "may_run_scripts",
    "nearest_directory",
    "parse_cpus",
    "parse_dsn",
    "parse_numa",
    "password_variable",
    "process",
    "purge_lags",
    "quoted_name",
    "redo_files",
    "release",
    "replication_variables",
    "require_free",
    "require_semi_sync",
    "require_space",
    "server_facts",
    "snapshot_copy",
    "space_for_servers",
    "statement_log",
    "sweep_dead",
    "used_key_parts",
    "variables",
]
