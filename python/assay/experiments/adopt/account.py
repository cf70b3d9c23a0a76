"""The account of a file: everything in it is used, or is counted and named as left over."""

from __future__ import annotations

from dataclasses import dataclass

from assay.experiments.adopt.lines import LeftRun, Text

_MOST = 100


@dataclass(frozen=True)
class LeftLine:
    """A line that no reader took."""

    number: int
    text: str


@dataclass(frozen=True)
class Account:
    """What became of one file.

    `read_as` is the tool whose form it has, `decoded` what was done to read it as text. Of the lines that are
    left over, `named` has the first hundred.
    """

    file: str
    read_as: str
    runs: int
    left_runs: tuple[LeftRun, ...]
    lines: int
    left_lines: int
    bytes: int
    left_bytes: int
    named: tuple[LeftLine, ...]
    decoded: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left over, and the file was read as it is."""
        return not (self.left_runs or self.left_lines or self.decoded)


def account_of(text: Text, read_as: str, runs: int, size: int, decoded: tuple[str, ...] = ()) -> Account:
    """Returns the account of a file of `size` bytes from the lines that its reader took."""
    of_runs = [range(one.first, one.last + 1) for one in text.left_runs]
    left = [line for line in text.left_over() if not any(line.number in one for one in of_runs)]
    in_runs = [line for one in of_runs for line in text.lines[one.start - 1 : one.stop - 1]]
    return Account(
        file=text.file,
        read_as=read_as,
        runs=runs,
        left_runs=tuple(text.left_runs),
        lines=len(text.lines),
        left_lines=len(left),
        bytes=size,
        left_bytes=sum(len(line.text.encode(errors="replace")) for line in (*left, *in_runs)),
        named=tuple(LeftLine(line.number, line.short) for line in left[:_MOST]),
        decoded=decoded,
    )
