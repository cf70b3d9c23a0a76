"""Reports errors that end a thread: each kind once, in a sentence, with a file for the details."""

from __future__ import annotations

import threading
from collections.abc import Sequence


def speak_for_threads(arguments: Sequence[str]) -> None:
    """Installs a hook that reports an error that ends a thread like any other. The program itself goes on."""
    told: set[str] = set()

    def hook(ended: threading.ExceptHookArgs) -> None:
        error = ended.exc_value
        if error is None or isinstance(error, SystemExit):
            return
        from assay.base.errors import AssayError
        from assay.front.cli.complaint import complain
        from assay.front.cli.crash import as_ours

        ours = error if isinstance(error, AssayError) else as_ours(error, arguments)
        kind = f"{type(error).__name__}{getattr(error, 'errno', '')}"
        if kind not in told:
            told.add(kind)
            complain(ours)

    threading.excepthook = hook
