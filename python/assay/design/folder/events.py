"""Reads the engine's events, from a line or from the file of a rung; their types are in
`assay.base.format.event`.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from assay.base.decoding import decoded
from assay.base.errors import InputError
from assay.base.format.event import Event, Hello, KindTally
from assay.base.inner_path import InnerPath

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)

EVENT_FORMAT = 1
"""The newest format of events that is read; the engine says its own in its first line."""


def decode_event(line: bytes | str) -> Event:
    """Decodes one line of the engine's output. Raises `msgspec.DecodeError` when it is no event, and Raises
    InputError when its format is later than `EVENT_FORMAT`.
    """
    event = decoded(_decoder, line)
    if isinstance(event, Hello) and event.format > EVENT_FORMAT:
        raise InputError(
            f"the engine's events have format {event.format}, and this assay reads formats up to"
            f" {EVENT_FORMAT}",
            hint="build engine and lab from the same source",
        )
    return event


def read_events(path: InnerPath) -> Iterator[Event]:
    """Yields the events of a file, without a last line that a kill cut short."""
    for line in path.lines():
        if line.endswith(b"\n"):
            yield decode_event(line)


def succeeded(kind: KindTally) -> int:
    """Returns how many transactions of the kind succeeded."""
    return 0 if kind.times is None else kind.times.count
