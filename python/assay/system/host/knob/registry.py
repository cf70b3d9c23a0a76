"""The list of knobs, in the order in which they are turned. A new one is its file and a line here."""

from __future__ import annotations

from assay.system.host.knob.dirty_background_ratio import DirtyBackgroundRatio
from assay.system.host.knob.dirty_ratio import DirtyRatio
from assay.system.host.knob.governor import Governor
from assay.system.host.knob.knob import Knob
from assay.system.host.knob.mount import MountOptions
from assay.system.host.knob.nomerges import NoMerges
from assay.system.host.knob.nr_requests import Requests
from assay.system.host.knob.raid_bgi_rate import BackgroundInitialisation
from assay.system.host.knob.raid_io_policy import IoPolicy
from assay.system.host.knob.raid_read_policy import ReadPolicy
from assay.system.host.knob.raid_write_policy import WritePolicy
from assay.system.host.knob.read_ahead_kb import ReadAhead
from assay.system.host.knob.rotational import Rotational
from assay.system.host.knob.rq_affinity import RequestAffinity
from assay.system.host.knob.scheduler import Scheduler
from assay.system.host.knob.smt import Multithreading
from assay.system.host.knob.swappiness import Swappiness
from assay.system.host.knob.thp import HugePages
from assay.system.host.knob.wbt_lat_usec import WritebackThrottle
from assay.system.host.knob.write_cache import WriteCache

_IN_ORDER: tuple[Knob, ...] = (
    Multithreading(),  # before the frequency: processors that come back have the default
    Governor(),
    HugePages(),
    Swappiness(),
    DirtyRatio(),
    DirtyBackgroundRatio(),
    WritePolicy(),
    ReadPolicy(),
    IoPolicy(),
    BackgroundInitialisation(),
    Scheduler(),  # before what it sets anew
    Rotational(),
    WriteCache(),
    Requests(),
    WritebackThrottle(),
    ReadAhead(),
    RequestAffinity(),
    NoMerges(),
    MountOptions(),
)

KNOBS: dict[str, Knob] = {knob.name: knob for knob in _IN_ORDER}
"""The knobs by name, as a study has it after `host.`."""
