"""Reading what the engine said: a line, or the file of a load point. The types are `assay.format.event`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.format.event import Event, Hello, KindTally

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)

EVENT_FORMAT = 1
"""The newest format of events that is read; the engine says its own in its first line."""

WHOLE = "transaction"
"""The label of the whole unit of work, of every load; the other labels are what it is made of."""


def decode_event(line: bytes | str) -> Event:
    """One line of the engine's output. `msgspec.DecodeError` on anything else; InputError: a later format."""
    event = _decoder.decode(line)
    if isinstance(event, Hello) and event.format > EVENT_FORMAT:
        raise InputError(
            f"the engine's events have format {event.format}, and this assay reads formats up to"
            f" {EVENT_FORMAT}",
            hint="build engine and lab from the same source",
        )
    return event


def read_events(path: Path) -> Iterator[Event]:
    """The events of a file; a last line cut short by a kill is left out."""
    with path.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                yield decode_event(line)


def succeeded(kind: KindTally) -> int:
    """How many transactions of the kind succeeded."""
    return 0 if kind.times is None else kind.times.count
