"""The tools that workloads stand in for, by workload."""

from __future__ import annotations

from importlib import import_module

from assay.cli.tool_options import Tool

TOOLS = {"tpcc": "assay.cli.tpcc_options:TpccTool", "linkbench": "assay.cli.linkbench_options:LinkbenchTool"}


def tool_of(workload: str) -> Tool | None:
    """The tool; its file is read only where it is wanted."""
    place = TOOLS.get(workload)
    if place is None:
        return None
    module, _, name = place.partition(":")
    tool: Tool = getattr(import_module(module), name)()
    return tool
