"""The tools that workloads stand in for, by workload."""

from __future__ import annotations

from assay.cli.linkbench_options import LinkbenchTool
from assay.cli.tool_options import Tool
from assay.cli.tpcc_options import TpccTool

TOOLS: dict[str, Tool] = {"tpcc": TpccTool(), "linkbench": LinkbenchTool()}
