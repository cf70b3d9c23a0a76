"""Types, readers and writers of a rung's profile window: the same load once more, watched by costly sources.

`profile/window.json` says what was watched and what each source read, or why it is missing; a source's own
file lies beside it. A watched window is never measured.
"""

from __future__ import annotations

import zlib
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from assay.base.decoding import json_as
from assay.base.wording import sized
from assay.design.folder.manifest import Count, Instant
from assay.design.folder.paths import ProfileFolder
from assay.design.folder.reading import damaged, read_part

_LARGEST_BYTES = 256 << 20
_GZIP = 31  # of zlib: a window of 32 KiB and the header of gzip
_LEVEL = 6
Amount = Annotated[float, Meta(ge=0, le=1e18)]
T = TypeVar("T")


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the watched load, and what the load did in it.

    `server_cpu_us`: its CPU time in the stretch, `server_kernel_us` of it in the kernel; None where
    its process is not seen. `cut`: the load ended before the stretch did.
    """

    begin_wall_ns: Instant
    end_wall_ns: Instant
    queries: Amount
    transactions: Amount
    server_cpu_us: Amount | None = None
    server_kernel_us: Amount | None = None
    cut: bool = False

    @property
    def seconds(self) -> float:
        return (self.end_wall_ns - self.begin_wall_ns) / 1e9


class ProfileSource(msgspec.Struct, frozen=True, kw_only=True):
    """What one source read in a profile window, or why nothing: `read` has counts, losses too, by name.

    `remedy`: what would give the source where it is missing. `notes`: what the source could not tell, each a
    sentence.
    """

    read: dict[str, float] = {}
    missing: str | None = None
    remedy: str | None = None
    notes: list[str] = []


class ProfileWindow(msgspec.Struct, frozen=True, kw_only=True):
    """`profile/window.json`: the watched load of a rung.

    `main` is the stretch of most sources; `tail` a short one after it for sources that record every event,
    and `counting` the last, in which the server counts its own waits. They are None where the load did not
    run, which `failed` explains.
    """

    main: Stretch | None = None
    tail: Stretch | None = None
    counting: Stretch | None = None
    failed: str | None = None
    sources: dict[str, ProfileSource] = {}


class ObjectFile(msgspec.Struct, frozen=True, array_like=True):
    """A program or library that functions lie in; `build_id` in hex, None where it has none."""

    name: str
    build_id: str | None = None


class Function(msgspec.Struct, frozen=True, array_like=True):
    """A function: its demangled name and the place of its file in `objects`; -1: the kernel, -2: unknown.

    `known`: whether `name` is a symbol. Otherwise it is the file and the start of the function's entry in
    `.eh_frame`, such as `mariadbd+0xd3ea10`; or the file alone, for code that no entry has.
    """

    name: str
    object: int
    known: bool


class ThreadName(msgspec.Struct, frozen=True, array_like=True):
    """Threads of one name: that of performance_schema.threads, else that of the kernel; and their number."""

    name: str
    threads: Count


class SampledStack(msgspec.Struct, frozen=True, array_like=True):
    """A call stack of threads of one name and its samples: `thread` is the place in `threads`, `functions`
    are places in `functions`, the leaf first.
    """

    thread: Count
    functions: list[Count]
    samples: Count


class StackProfile(msgspec.Struct, frozen=True, kw_only=True):
    """`profile/stacks.json.gz`: samples of the server's processor time, one for each `period_ns`."""

    period_ns: Count
    threads: list[ThreadName]
    objects: list[ObjectFile]
    functions: list[Function]
    stacks: list[SampledStack]
    lost: Count = 0  # samples that the kernel dropped
    kernel: bool = True  # whether samples in the kernel were taken

    @property
    def samples(self) -> int:
        return sum(stack.samples for stack in self.stacks)

    @property
    def is_sound(self) -> bool:
        """Whether every stack names threads and functions that are there: a stranger's file may not."""
        threads, functions = len(self.threads), len(self.functions)
        return all(
            one.thread < threads and all(place < functions for place in one.functions) for one in self.stacks
        )


def write_window(folder: ProfileFolder, window: ProfileWindow) -> None:
    """Writes the folder's `window.json`."""
    folder.window.write_whole(msgspec.json.format(msgspec.json.encode(window)))


def read_window(folder: ProfileFolder) -> ProfileWindow | None:
    """Returns a rung's profile window; None where there was none. Raises `Damaged` when it cannot be read."""
    return read_part(folder.window, folder.run, ProfileWindow) if folder.window.is_file() else None


def write_packed(folder: ProfileFolder, source: str, value: msgspec.Struct) -> int:
    """Writes what a source read as packed JSON, and returns its size in bytes."""
    packing = zlib.compressobj(_LEVEL, wbits=_GZIP)
    content = packing.compress(msgspec.json.encode(value)) + packing.flush()
    folder.packed(source).write_whole(content)
    return len(content)


def read_packed(folder: ProfileFolder, source: str, kind: type[T]) -> T | None:
    """Returns what a source read in a rung's profile window; None where its file is not there.

    Raises `Damaged` when the file cannot be read.
    """
    file = folder.packed(source)
    if not file.is_file():
        return None
    try:
        unpacking = zlib.decompressobj(wbits=_GZIP)
        content = unpacking.decompress(file.read_bytes(), _LARGEST_BYTES)
        if unpacking.unconsumed_tail:
            raise damaged(
                file, folder.run.path, f"it has more than {sized(_LARGEST_BYTES)} when it is unpacked"
            )
        if not unpacking.eof:
            raise damaged(file, folder.run.path, "it is cut short")
        return json_as(content, kind)
    except (OSError, zlib.error, MemoryError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise damaged(file, folder.run.path, error) from error
