"""The text of a study file, and where in it a key stands: for whoever complains about the study later."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.study.toml_lines import line_of


@dataclass(frozen=True)
class StudyText:
    """A study file as its author wrote it. `kept`: with what the command line said instead of some keys."""

    path: Path
    text: str = ""
    changed: str | None = None

    @property
    def kept(self) -> str:
        """What the results folder keeps: the study that is run."""
        return self.text if self.changed is None else self.changed

    def at(self, *keys: str | int) -> str:
        """`a.toml:5`: the line of a key, as far as it has one."""
        line = line_of(self.text, keys)
        return f"{self.path}:{line}" if line else str(self.path)

    def error(self, keys: tuple[str | int, ...], sentence: str, *, hint: str | None = None) -> InputError:
        """A complaint about a key; `sentence` names it."""
        return InputError(f"{self.at(*keys)}: {sentence}", hint=hint)
