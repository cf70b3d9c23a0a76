"""What `assay doctor` advises about the engine can be done where it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.experiments.lab import checkup
from assay.system.engine import FOR_MEASURING, EngineBuild


@pytest.mark.parametrize(
    ("checkout", "advice"),
    [(Path("clone"), "build it with make engine"), (None, "install the wheel of a release")],
)
@pytest.mark.parametrize("kind", ["quick", "debug", *sorted(FOR_MEASURING), ""])
def test_make_is_named_only_in_a_checkout(
    monkeypatch: pytest.MonkeyPatch, checkout: Path | None, advice: str, kind: str
) -> None:
    build = EngineBuild(Path("bin/assay-engine"), "0.1.0", kind, newer=None)
    monkeypatch.setattr(checkup, "engine_build", lambda: build)
    monkeypatch.setattr(checkup, "checkout", lambda: checkout)
    (finding,) = checkup._engine()
    if kind in FOR_MEASURING or not kind:
        assert (finding.outcome, finding.how_to_get) == ("ok", None)
    else:
        assert finding.how_to_get is not None
        assert finding.how_to_get.startswith(f"for measuring, {advice}: ")
