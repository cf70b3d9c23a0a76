"""The text of a study file, with the lines of its keys for later error messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.base.errors import InputError
from assay.base.inner_path import AnyPath
from assay.design.study.toml_lines import Keys, line_of, written_at


@dataclass(frozen=True)
class StudyText:
    """A study file as its author wrote it. `kept` is the text with the overrides of scale and command line.

    `places`: by the path of a key, its path in the scale that sets it. `is_derived`: nobody wrote the text,
    which was made from the study in the file, so that its lines are of no use to anyone.
    """

    path: AnyPath
    text: str = ""
    changed: str | None = None
    places: Mapping[Keys, Keys] = field(default_factory=dict)
    is_derived: bool = False

    @property
    def kept(self) -> str:
        """The text that the results folder keeps: the study that is run."""
        return self.text if self.changed is None else self.changed

    def at(self, *keys: str | int) -> str:
        """Returns the place of a key, `a.toml:5`; only the file where the key has no line."""
        line = None if self.is_derived else line_of(self.text, written_at(keys, self.places))
        return f"{self.path}:{line}" if line else str(self.path)

    def error(self, keys: tuple[str | int, ...], sentence: str, *, hint: str | None = None) -> InputError:
        """Returns an error about a key, which `sentence` names."""
        return InputError(f"{self.at(*keys)}: {sentence}", hint=hint)
