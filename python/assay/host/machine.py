"""Reading the kernel's files. What is missing or unreadable is None: it is left out, never invented."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Machine:
    """The tree that holds /proc, /sys and /etc: this machine's, or a recorded one."""

    root: Path = Path("/")
    commands: str | None = None
    """Where programs are looked for, spelled as PATH; None: in PATH here, nowhere on a recorded one."""

    def path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def real(self, path: Path) -> Path:
        """A path without links, which are those of this machine only."""
        return path.resolve() if self.root == Path("/") else path.absolute()

    def text(self, path: str) -> str | None:
        """Content of a file without blanks at the ends; None when it cannot be read or is empty."""
        try:
            return self.path(path).read_text(errors="replace").strip() or None
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        text = self.text(path)
        try:
            return int(text) if text is not None else None
        except ValueError:
            return None

    def chosen(self, path: str) -> str | None:
        """The word in brackets of a list like `none [mq-deadline] kyber`; without brackets, the text."""
        text = self.text(path)
        if text is None:
            return None
        return next((word.strip("[]") for word in text.split() if word.startswith("[")), text)

    def program(self, *names: str) -> Path | None:
        """The first of these programs that is installed."""
        if self.commands is None and self.root != Path("/"):
            return None
        return next(
            (Path(found) for name in names if (found := shutil.which(name, path=self.commands))), None
        )

    def names(self, path: str) -> list[str]:
        """Names in a directory, sorted; empty when there is none."""
        try:
            return sorted(entry.name for entry in self.path(path).iterdir())
        except OSError:
            return []


def present(items: Iterable[tuple[str, object]]) -> dict[str, object]:
    """A dictionary of what is known."""
    return {name: value for name, value in items if value is not None and value not in ({}, [])}


def labelled(text: str, separator: str = ":") -> dict[str, str]:
    """Lines like `name : value`; the first of a name wins."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, mark, value = line.partition(separator)
        if mark:
            found.setdefault(name.strip(), value.strip())
    return found
