"""The identity of a run: its server build, host, dataset and tools."""

from __future__ import annotations

from collections.abc import Mapping

from assay.design.folder import Manifest

SERVER = ("flavour", "version", "binary", "binary_sha256", "address")
"""Keys of `Manifest.server`; the last is of a server that was running already."""

HOST = {"host": "system.hostname", "processor": "cpu.model", "kernel": "kernel.release"}
"""The key of the host's facts for each column."""

TOOLS = ("assay", "engine", "python")

DATA = {"dataset": "id", "data": "data"}
"""The key of `Manifest.dataset` for each column."""

COLUMNS = (*(f"server_{key.removeprefix('binary_')}" for key in SERVER), *HOST, *DATA, *TOOLS)


def identity(manifest: Manifest, host: Mapping[str, str]) -> tuple[str | None, ...]:
    """Returns the values of `COLUMNS`; `host` has the facts before the run. None stands for what the run did
    not note.
    """
    return (
        *(_text(manifest.server.get(key)) for key in SERVER),
        *(host.get(key) for key in HOST.values()),
        *(_text(manifest.dataset.get(key)) for key in DATA.values()),
        *(manifest.tools.get(tool) for tool in TOOLS),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)
