"""Provides the system under test of each run, with its data: a private server, a running server, or files."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazily

if TYPE_CHECKING:
    from assay.measurement.source import dataset
    from assay.measurement.source.applicability import catalogued, check_flavours, check_named, check_version
    from assay.measurement.source.capacity import (
        capacity_variables,
        check_capacity,
        connections,
        room_for,
        room_for_held,
    )
    from assay.measurement.source.disk_budget import Need
    from assay.measurement.source.file_sets import FileSets
    from assay.measurement.source.kept_variables import left_variables, sweep_variables
    from assay.measurement.source.last_words import with_last_words
    from assay.measurement.source.machine_settings import drifted, knobs_for, volume_entry
    from assay.measurement.source.own_server import OwnServer
    from assay.measurement.source.placement import hosting, redo_bytes, volumes
    from assay.measurement.source.private import PrivateServers
    from assay.measurement.source.representatives import telling
    from assay.measurement.source.rights import is_denied
    from assay.measurement.source.running import ExistingServer
    from assay.measurement.source.running_limits import check_running
    from assay.measurement.source.running_tables import Loaders
    from assay.measurement.source.sources import Source, Sources
    from assay.measurement.source.topology import SOURCE_ID
    from assay.measurement.source.trial_starts import Trials
    from assay.measurement.source.under_test import Server, Storage, SystemUnderTest
    from assay.measurement.source.writing import check_reads_only
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
    "check_reads_only",
    "check_running",
    "check_version",
    "connections",
    "dataset",
    "drifted",
    "hosting",
    "is_denied",
    "knobs_for",
    "left_variables",
    "redo_bytes",
    "room_for",
    "room_for_held",
    "sweep_variables",
    "telling",
    "volume_entry",
    "volumes",
    "with_last_words",
]
