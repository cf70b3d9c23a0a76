"""The sources that watch profile windows, in the order in which they begin."""

from __future__ import annotations

from collections.abc import Callable

from assay.measurement.run.profile.counting import Waits
from assay.measurement.run.profile.stacks import Stacks
from assay.measurement.run.profile.waiting import Schedstat, Switches
from assay.measurement.run.profile.watcher import Watcher

WATCHERS: tuple[Callable[[], Watcher], ...] = (Stacks, Schedstat, Switches, Waits)
"""Each makes a new source for one window."""
