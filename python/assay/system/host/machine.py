"""Reads the kernel's files; a missing or unreadable one gives None, and its value is left out."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Machine:
    """The tree of files that holds /proc, /sys and /etc: this machine's, or a recorded one."""

    root: Path = Path("/")
    commands: str | None = None
    """Where programs are searched, in the form of PATH; None: this machine's PATH, or nowhere on a recorded
    machine.
    """

    def path(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def real(self, path: Path) -> Path:
        """Returns a path with symbolic links resolved, on this machine; of a recorded tree, the path
        itself.
        """
        return path.resolve() if self.root == Path("/") else path.absolute()

    def text(self, path: str) -> str | None:
        """Returns the content of a file, stripped; None when the file cannot be read or is empty."""
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
        """Returns the word in brackets of a list such as `none [mq-deadline] kyber`; without brackets, the
        text.
        """
        text = self.text(path)
        if text is None:
            return None
        return next((word.strip("[]") for word in text.split() if word.startswith("[")), text)

    def program(self, *names: str) -> Path | None:
        """Returns the path of the first of these programs that is installed; None when none is."""
        if self.commands is None and self.root != Path("/"):
            return None
        return next(
            (Path(found) for name in names if (found := shutil.which(name, path=self.commands))), None
        )

    def names(self, path: str) -> list[str]:
        """Returns the sorted names in a directory; empty when there is no such directory."""
        try:
            return sorted(entry.name for entry in self.path(path).iterdir())
        except OSError:
            return []


def present(items: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Returns a dictionary of the items without those that are None or empty."""
    return {name: value for name, value in items if value is not None and value not in ({}, [])}


def labelled(text: str, separator: str = ":") -> dict[str, str]:
    """Returns lines such as `name : value` as a dictionary; the first line of a name counts."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, mark, value = line.partition(separator)
        if mark:
            found.setdefault(name.strip(), value.strip())
    return found
