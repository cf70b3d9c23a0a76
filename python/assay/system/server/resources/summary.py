"""Lists the resources of a private server for its run's manifest."""

from __future__ import annotations

from assay.base.number_lists import number_list
from assay.design.folder import Scalar
from assay.system.server.resources.hosting import Hosting
from assay.system.server.resources.memory_group import MemoryGroup
from assay.system.server.resources.volumes import Layout


def given_to(hosting: Hosting, layout: Layout, group: MemoryGroup | None) -> dict[str, Scalar]:
    """Returns only the resources that were asked for. `group` is the control group that limits its memory, if
    any.
    """
    given: dict[str, Scalar] = {}
    if hosting.cpus:
        given["cpus"] = number_list(hosting.cpus)
    if hosting.cpu_quota is not None:
        given["cpu_quota"] = hosting.cpu_quota
    if hosting.sync_delay_us is not None:
        given["sync_delay_us"] = hosting.sync_delay_us
    if hosting.preload is not None:
        given["preload"] = str(hosting.preload)
    if hosting.numa is not None:
        given["numa"] = str(hosting.numa)
    if hosting.padding_bytes:
        given["padding_bytes"] = hosting.padding_bytes
    if group is not None:
        given["memory_limit_bytes"] = group.limit_bytes
        given["memory_group"] = f"cgroup v{group.version}"
        given["swap"] = "not limited" if group.swaps else "none"
    for key, path in (("redo_dir", layout.redo), ("binlog_dir", layout.binlog)):
        if path is not None:
            given[key] = str(path.parent)
    return given
