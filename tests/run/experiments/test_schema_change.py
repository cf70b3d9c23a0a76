"""Where a statement's temporary files lie."""

from __future__ import annotations

from pathlib import Path

from assay.measurement.run.experiments.schema_change import temporary_places


def test_a_server_may_have_several_temporary_directories() -> None:
    assert temporary_places("/tmp") == [Path("/tmp")]
    assert temporary_places("/a:/b:/a:") == [Path("/a"), Path("/b")]
