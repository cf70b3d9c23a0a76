"""Provides the system under test of each run: a private server, a running server, or files."""

from typing import TYPE_CHECKING

from assay.lazy import lazily

if TYPE_CHECKING:
    from assay.source.applicability import catalogued, check_flavours, check_named, check_version
    from assay.source.capacity import capacity_variables, check_capacity, connections, room_for, room_for_held
    from assay.source.disk_budget import Need
    from assay.source.file_sets import FileSets
    from assay.source.machine_settings import drifted, knobs_for, volume_entry
    from assay.source.own_server import OwnServer
    from assay.source.placement import hosting, redo_bytes, volumes
    from assay.source.private import PrivateServers
    from assay.source.representatives import telling
    from assay.source.running import ExistingServer
    from assay.source.running_limits import check_running
    from assay.source.running_tables import Loaders
    from assay.source.sources import Source, Sources
    from assay.source.topology import SOURCE_ID
    from assay.source.trial_starts import Trials
    from assay.source.under_test import Server, Storage, SystemUnderTest
else:
    __getattr__ = lazily(__name__, __file__)

__all__ = [
    "SOURCE_ID",
    "ExistingServer",
    "FileSets",
    "Loaders",
    "Need",
    "OwnServer",
    "PrivateServers",
    "Server",
    "Source",
    "Sources",
    "Storage",
    "SystemUnderTest",
    "Trials",
    "capacity_variables",
    "catalogued",
    "check_capacity",
    "check_flavours",
    "check_named",
    "check_running",
    "check_version",
    "connections",
    "drifted",
    "hosting",
    "knobs_for",
    "redo_bytes",
    "room_for",
    "room_for_held",
    "telling",
    "volume_entry",
    "volumes",
]
