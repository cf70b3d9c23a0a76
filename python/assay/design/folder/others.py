"""Computes how much of the processors other programs used, from two readings of the sampler `others`.

Each reading holds, for one instant, the time that the whole machine has used and the time that the
measurement has used (`own`); the difference is the time of other programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

SOURCE = "others"
USED, IDLE, IRQ, STEAL, ELAPSED, OWN, KERNEL = (
    f"{name}_us_total" for name in ("used", "idle", "irq", "steal", "elapsed", "own", "kernel")
)
PROGRAM_MARK = "program."

LOAD_LIMIT = 0.05
"""Share of all processors' time that other programs may use."""
PROGRAM_LIMIT = 0.5
"""Processors that a single other program may use, since on a machine with many a busy loop is a small
share.
"""
STEAL_LIMIT = 0.05
"""Share of all processors' time that the hypervisor may give to other machines."""

UNSEEN = "load of other programs was not judged: the process of the server cannot be seen"
"""The message for a running server on this machine whose process is unknown, so that its load cannot be told
from other programs'.
"""

WORTH_NAMING_US = 50_000
"""Microseconds of processor time since the first reading from which on a program is recorded by its name."""
_NAMED = 3
_WORTH_NAMING = 0.05
"""Processors that a program must have used to be named."""


@dataclass(frozen=True)
class Others:
    """Processor time that other programs used between two readings. `programs`: name and processors used, the
    busiest first.
    """

    share: float  # of all processors' time
    processors: float  # the same as processors
    steal: float  # of all processors' time
    programs: tuple[tuple[str, float], ...]

    @property
    def disturb(self) -> bool:
        """Whether other programs used enough of the processors to change what is measured."""
        return self.share > LOAD_LIMIT or any(used > PROGRAM_LIMIT for _, used in self.programs)

    @property
    def named(self) -> str:
        """Names of the other programs with the processors each used (`bash 0.95, rustc 0.4`); empty where
        none is known.
        """
        return ", ".join(f"{name} {used:.2g}" for name, used in self.programs)

    @property
    def sentence(self) -> str:
        """Returns a sentence that says how much of the processors other programs used."""
        names = f": {self.named}" if self.named else ""
        return f"other programs used {self.processors:.2g} processors, {self.share:.0%} of the machine{names}"

    @property
    def stolen_sentence(self) -> str:
        """Returns a sentence that says how much processor time the hypervisor took."""
        return f"the hypervisor gave {self.steal:.0%} of the processors' time to other machines"


def others_between(first: Mapping[str, float], last: Mapping[str, float]) -> Others | None:
    """Returns what other programs used between the first and the last reading of a stretch; None where the
    readings cannot show it.

    A kernel counts a processor's time in two ways, and either errs: by what it found at each tick (`used`),
    and by how long the processor was not idle. Only a load that both show counts. Interrupts, the kernel's
    own threads and stolen time are not counted as other programs: the first two are mostly the server's input
    and output, the last is another machine's.
    """
    if not {USED, IDLE, IRQ, STEAL, ELAPSED, OWN, KERNEL} <= first.keys() & last.keys():
        return None
    moved = {name: by - first.get(name, 0.0) for name, by in last.items()}
    whole = moved[ELAPSED]
    if whole <= 0 or moved[OWN] < 0:
        return None
    of_measuring = moved[OWN] + moved[KERNEL]
    by_ticks = moved[USED] - of_measuring
    by_idleness = whole - moved[IDLE] - moved[IRQ] - moved[STEAL] - of_measuring
    share = max(0.0, min(by_ticks, by_idleness)) / whole
    count = last["processors"]
    per_processor = whole / count
    used: dict[str, float] = {}
    for name, by in moved.items():
        if name.startswith(PROGRAM_MARK) and by > 0:
            program = name.removeprefix(PROGRAM_MARK).removesuffix("_us_total").partition(".")[2]
            used[program] = used.get(program, 0.0) + by / per_processor
    busiest = sorted(used.items(), key=lambda item: -item[1])[:_NAMED]
    return Others(
        share=share,
        processors=share * count,
        steal=max(0.0, moved[STEAL]) / whole,
        programs=tuple((name, by) for name, by in busiest if by > _WORTH_NAMING),
    )
