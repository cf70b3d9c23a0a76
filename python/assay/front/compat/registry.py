"""The list of tools that workloads stand in for, by workload."""

from __future__ import annotations

from importlib import import_module

from assay.front.compat.options import Tool

TOOLS = {
    "tpcc": "assay.front.compat.tpcc_mysql.options:TpccTool",
    "linkbench": "assay.front.compat.linkbench.options:LinkbenchTool",
}


def tool_of(workload: str) -> Tool | None:
    """Returns the tool of a workload; its module is imported only when it is needed."""
    place = TOOLS.get(workload)
    if place is None:
        return None
    module, _, name = place.partition(":")
    tool: Tool = getattr(import_module(module), name)()
    return tool
