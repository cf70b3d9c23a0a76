"""Puts a server's memory on given NUMA nodes, by a policy that it is started with, as numactl(8) does.

Source: set_mempolicy(2), numa(7).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.base.errors import HostError, InputError, ServerError
from assay.base.number_lists import number_list, parse_numbers
from assay.base.privileges import PrivilegeError
from assay.design.study import check_numa
from assay.system.host import lacks

_NODES = Path("/sys/devices/system/node")
_SHOWN = {"interleave": "interleave", "bind": "bind", "preferred": "prefer", "local": "local"}


@dataclass(frozen=True)
class NumaPolicy:
    """A NUMA policy. `mode`: interleave, bind, preferred, local; `nodes`: the nodes, none for `local`."""

    mode: str
    nodes: frozenset[int]

    @property
    def word(self) -> str:
        """The policy as the launcher's argument."""
        return f"{self.mode}:{','.join(map(str, sorted(self.nodes)))}"

    def __str__(self) -> str:
        """The policy as a study writes it, with its nodes."""
        return f"{self.mode}={number_list(self.nodes)}" if self.nodes else self.mode

    def check(self) -> None:
        """Raises HostError when this machine lacks one of the nodes, or this process may not set a policy."""
        if (lacking := lacks("numa")) is not None:
            raise PrivilegeError(f"server.numa = {self}", lacking)
        here = nodes_here()
        if missing := self.nodes - here:
            raise HostError(
                f"server.numa = {self}: this machine has no NUMA node {number_list(missing)}",
                hint=f"it has {number_list(here)}",
            )

    def verify(self, pid: int) -> None:
        """Raises ServerError when the running server's memory has another policy (/proc/PID/numa_maps)."""
        wanted = _SHOWN[self.mode] + (f":{number_list(self.nodes)}" if self.nodes else "")
        lines = Path(f"/proc/{pid}/numa_maps").read_text().splitlines()
        shown = {line.split()[1] for line in lines if len(line.split()) > 1}
        if wanted not in shown:
            raise ServerError(f"server.numa: asked for {wanted}, the server has {', '.join(sorted(shown))}")


def parse_numa(text: str) -> NumaPolicy:
    """Returns the policy in `interleave`, `interleave=0-1`, `bind=0`, `preferred=1` or `local`. Raises Raises
    InputError for other text.
    """
    mode, said, nodes = text.partition("=")
    try:
        check_numa(text)
        chosen = parse_numbers(nodes) if said else frozenset()
    except ValueError as error:
        raise InputError(f"server.numa: {error}") from None
    return NumaPolicy(mode, nodes_here() if text == "interleave" else chosen)


def nodes_here() -> frozenset[int]:
    """Returns the NUMA nodes that have memory. Raises HostError on a kernel without NUMA."""
    try:
        return parse_numbers((_NODES / "has_memory").read_text().strip())
    except OSError:
        raise HostError("server.numa: this kernel knows no NUMA nodes") from None
