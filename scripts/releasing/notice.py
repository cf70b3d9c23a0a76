"""The file NOTICE: what a release carries of others, under which licences, with their texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.base.version import VERSION

from scripts.releasing.components import Component, components
from scripts.releasing.licence import is_permitted
from scripts.releasing.outcome import Outcome, judged

_KINDS = {
    "cargo": "Crates in assay-engine and assay-nullserver",
    "npm": "Files among the assets of pages",
    "pypi": "Python packages; a wheel names them, the packages for Debian and the image carry them",
}


def notice(parts: Sequence[Component] | None = None) -> str:
    """Returns the text for `parts`, all components unless said."""
    return "\n".join(_lines(components() if parts is None else parts)) + "\n"


def licences(parts: Sequence[Component]) -> Outcome:
    """Checks that every component has a licence that permits to carry it, and that its text goes along."""
    wrong = [
        f"{one.name} {one.version} is under {one.licence or 'no licence that it names'}"
        for one in parts
        if not is_permitted(one.licence)
    ]
    return judged(wrong, f"{len(parts)} packages")


def _lines(parts: Sequence[Component]) -> Iterator[str]:
    yield f"assay {VERSION} is under the Apache License, Version 2.0. It carries, or needs, work of others:"
    for kind, title in _KINDS.items():
        yield f"\n{title}\n"
        for one in parts:
            if one.kind == kind:
                yield f"  {one.name} {one.version}: {one.licence}"
    texts: dict[str, list[str]] = {}
    for one in parts:
        for text in one.texts:
            texts.setdefault(text.strip(), []).append(f"{one.name} {one.version}")
    for text, names in texts.items():
        yield f"\n{'-' * 80}\n{', '.join(names)}\n\n{text}"
