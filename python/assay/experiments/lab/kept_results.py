"""Keeps judged results until a file of theirs changes: a page of the same results is opened many times.

They are in a folder that only this account writes, and not beside the results, which come from anywhere:
nobody else can say what was found.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from assay.base.file_cache import FileCache, code_of, name_of
from assay.design.folder import ResultsFolder
from assay.design.study import Study
from assay.results.stats import Gate
from assay.results.verdict import Results
from assay.system.server import home

MOST_BYTES = 128 << 20
"""How much the folder may hold."""

_MAKERS = ("base", "design", "results")
"""The wings on whose code results depend: that of judging, and all that it imports."""

_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Results)


def results_of(
    folder: ResultsFolder, state: str, study: Study, gate: Gate, judge: Callable[[], Results]
) -> Results:
    """Returns the results that were kept of a folder whose files were in this state, judged by this study and
    gate; otherwise what `judge` returns, and keeps it.

    `state` must be from before the files were read. What does not come back exactly as it was is not kept.
    """
    files = FileCache(home() / "results", MOST_BYTES)
    name = name_of(code_of(*_MAKERS), str(folder.path.resolve()), state, study.model_dump_json(), repr(gate))
    kept = files.read(name)
    if kept is not None and (found := _decoded(kept)) is not None:
        return found
    made = judge()
    content = _ENCODER.encode(made)
    if repr(_decoded(content)) == repr(made):
        files.write(name, content)
    return made


def _decoded(content: bytes) -> Results | None:
    try:
        return _DECODER.decode(content)
    except msgspec.DecodeError:
        return None
