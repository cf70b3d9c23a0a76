"""The type of sizes on the command line, written as in studies and in my.cnf."""

from __future__ import annotations

from typing import Any

import click


class Size(click.ParamType[int]):
    """A size in bytes from `least` to `most`, given as 16384, 16K or 900G: a whole number and K, M, G or T,
    powers of 1024.

    Sizes that a study refuses are refused here, too: `4MB` is four million bytes to one reader and 4 MiB to
    another.
    """

    name = "size"

    def __init__(self, least: float = 0, most: float | None = None) -> None:
        self.least, self.most = int(least), None if most is None else int(most)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Returns bytes; a usage error, with the right form, for text that is no size or out of range."""
        from assay.design.study import parse_size_bytes, size_text

        if not isinstance(value, str):
            return int(value)
        try:
            count = 0 if value.strip() == "0" else parse_size_bytes(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None
        if count < self.least or (self.most is not None and count > self.most):
            least = size_text(self.least)
            expected = f"at least {least}" if self.most is None else f"{least} to {size_text(self.most)}"
            raise click.BadParameter(f"{value} is out of range; expected {expected}", ctx, param)
        return count
