"""Names and ports that the hosts of a fleet agree on; commands show them without loading the fleet."""

from __future__ import annotations

AGENT_PORT = 7717
HEAD_PORT = 6379
"""The port on which the head of a Ray cluster listens: Ray's own default."""
FIRST_PORT = 7718
"""The first of the ports that a node of a Ray cluster uses."""

NODE_ROLES = ("coordinator", "generator", "server")
ROLE, ZONE, HOST = "assay.role", "assay.zone", "assay.host"
"""Labels of a node: what runs there, where it stands, and its name."""
