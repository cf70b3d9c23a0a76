"""The place up to which the files of a study were read, as a text that a browser can send back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.base.decoding import whole_number
from assay.base.errors import InputError


@dataclass(frozen=True)
class Position:
    """Byte offsets in `live.jsonl` and in the files of the run under way.

    `rung` is the name of the rung's folder, and `inode` the file of its events, since an experiment gives
    such files other names. `samples` has the offset in each source's file.
    """

    live: int = 0
    run: str = ""
    rung: str = ""
    inode: int = 0
    events: int = 0
    samples: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Returns `live.jsonl:812 b01-02-x/01-threads-8/events.jsonl:4711#1234 cpu:512 …`."""
        parts = [f"live.jsonl:{self.live}"]
        if self.run:
            parts.append(f"{self.run}/{self.rung or '-'}/events.jsonl:{self.events}#{self.inode}")
            parts += [f"{source}:{offset}" for source, offset in sorted(self.samples.items())]
        return " ".join(parts)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Reads what `str` wrote. Raises InputError where the text is no position."""
        try:
            live, *rest = text.split()
            name, _, offset = live.partition(":")
            if name != "live.jsonl":
                raise ValueError
            if not rest:
                return cls(live=_offset(offset))
            run, rung, events = rest[0].rsplit("/", 2)
            name, _, places = events.partition(":")
            if name != "events.jsonl":
                raise ValueError
            at, _, inode = places.partition("#")
            pairs = (one.rpartition(":") for one in rest[1:])
            return cls(
                live=_offset(offset),
                run=run,
                rung="" if rung == "-" else rung,
                inode=_offset(inode),
                events=_offset(at),
                samples={source: _offset(place) for source, _, place in pairs},
            )
        except ValueError:
            raise InputError(f"{text[:80]!r} is not a position in the files of a study") from None


def _offset(text: str) -> int:
    if (offset := whole_number(text)) is None:
        raise ValueError
    return offset
