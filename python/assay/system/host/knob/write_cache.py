"""The knob `write_cache`: whether the kernel assumes a disk cache, and must send flushes to make data
durable.
"""

from __future__ import annotations

from assay.system.host.knob.queue import QueueKnob
from assay.system.host.machine import Machine


class WriteCache(QueueKnob):
    """`write-back`: flushes are sent; `write-through`: none are. The disk itself is not told.

    With `write-through` on a disk that does cache, fsync returns before data is safe from a loss of power.
    """

    name = "block.write_cache"
    attribute = "write_cache"
    moves = ("block.read_ahead_kb",)  # Linux 6.11 and later compute it anew

    def show(self, machine: Machine, target: str) -> str:
        return super().show(machine, target).replace(" ", "-")

    def write(self, machine: Machine, target: str, value: str) -> None:
        super().write(machine, target, value.replace("-", " "))

    def choices(self, machine: Machine, target: str) -> list[str]:
        return ["write-back", "write-through"]

    def by_hand(self, target: str, value: str) -> str:
        return f'echo "{value.replace("-", " ")}" > {self.file(target)}'
