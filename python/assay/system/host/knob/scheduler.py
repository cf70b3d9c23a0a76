"""The knob of the I/O scheduler: in which order a disk gets its requests."""

from __future__ import annotations

from assay.system.host.knob.queue import QueueKnob
from assay.system.host.machine import Machine

# What single-queue kernels called them, before Linux 5.0.
_FORMER = {"noop": "none", "deadline": "mq-deadline", "cfq": "bfq"}


class Scheduler(QueueKnob):
    """The I/O scheduler: `none`, `mq-deadline`, `kyber`, `bfq`; on kernels before 5.0 `noop`, `deadline`,
    `cfq`.
    """

    name = "block.scheduler"
    attribute = "scheduler"
    moves = ("block.nr_requests", "block.wbt_lat_usec")

    def refusal(self, machine: Machine, target: str, value: str | None = None) -> str | None:
        reason = super().refusal(machine, target, value)
        choices = self.choices(machine, target)
        for one, other in (*_FORMER.items(), *((new, old) for old, new in _FORMER.items())):
            if reason and value == one and value not in choices and other in choices:
                return f'{self.file(target)} does not offer {one}; this kernel has "{other}" instead'
        return reason
