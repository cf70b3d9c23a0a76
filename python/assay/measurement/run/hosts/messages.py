"""Types of the messages between a lab and the process that carries a block out for it on another host."""

from __future__ import annotations

import msgspec

from assay.design.folder import Doubted, Failure


class GeneratorHost(msgspec.Struct, frozen=True, kw_only=True):
    """A host for generators: where its agent listens, and the event loops of a load there; None: as many as
    it has processors.
    """

    host: str
    address: str
    port: int
    loops: int | None = None


class BlockOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What such a process is to do, as its only line of input: `runs` of a study, or, without runs, a look at
    whether this host could carry them out.
    """

    path: str  # of the study file where its author has it, for messages
    text: str
    hash: str
    seed: int
    ordering: int
    data_loads: int
    host: str  # its name in the fleet
    folder: str = ""  # the results folder to be made; the agent fills it in
    runs: list[str] = []
    doubts: list[Doubted] = []  # about every run
    generators: list[GeneratorHost] = []  # none: the generators of the load run on this host
    allow_same_machine: bool = False
    ceilings: dict[str, list[float]] = {}  # of generators, as a check of the fleet has kept them
    token: str = ""  # with which their agents are called, in hex; the agent fills it in


class BuildEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The build of a server that a host has under a name."""

    use: str
    version: str
    sha256: str


class BlockLooked(msgspec.Struct, frozen=True, tag_field="is", tag="looked"):
    """The host can carry the study out, with these builds."""

    builds: list[BuildEntry]


class RunBegan(msgspec.Struct, frozen=True, tag_field="is", tag="began"):
    """A run begins."""

    run: str


class StepBegan(msgspec.Struct, frozen=True, tag_field="is", tag="step"):
    """The process does something else from now on."""

    what: str


class RunEnded(msgspec.Struct, frozen=True, tag_field="is", tag="over"):
    """A run has ended."""

    run: str
    headline: str
    failure: Failure | None


class NoteLine(msgspec.Struct, frozen=True, tag_field="is", tag="note"):
    """A message that needs a line of its own."""

    text: str


class BlockEnded(msgspec.Struct, frozen=True, tag_field="is", tag="ended"):
    """The last line: the block is over, or this error ended it; `kind` is the name of its class."""

    error: Failure | None = None


BlockLine = BlockLooked | RunBegan | StepBegan | RunEnded | NoteLine | BlockEnded

_LINES: msgspec.json.Decoder[BlockLine] = msgspec.json.Decoder(BlockLine)


def encode_block_line(line: BlockLine) -> bytes:
    """Returns a line with its end."""
    return msgspec.json.encode(line) + b"\n"


def decode_block_line(line: bytes) -> BlockLine:
    """Returns the message of a line. Raises `msgspec.DecodeError` for anything else."""
    return _LINES.decode(line)
