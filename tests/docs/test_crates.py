"""Crates depend on each other in one direction: engine on formats and workload, these on the leaves."""

from __future__ import annotations

import json
import subprocess

from pages import ROOT

ALLOWED = {
    "assay-engine": {
        "assay-format",
        "assay-pace",
        "assay-storage",
        "assay-tally",
        "assay-wire",
        "assay-workload",
    },
    "assay-format": {"assay-pace", "assay-storage"},
    "assay-storage": {"assay-pace"},
    "assay-workload": {"assay-wire"},
    "assay-wire": set(),
    "assay-pace": set(),
    "assay-tally": set(),
    "assay-nullserver": set(),
    "assay-floor": set(),
}
"""By crate, the crates of ours that it may be built with; its tests may use any."""


def test_arrows_between_crates() -> None:
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    packages = json.loads(done.stdout)["packages"]
    arrows = {
        package["name"]: {
            needed["name"]
            for needed in package["dependencies"]
            if needed["kind"] is None and needed["name"].startswith("assay-")
        }
        for package in packages
    }
    assert arrows.keys() == ALLOWED.keys()
    assert {name: sorted(used - ALLOWED[name]) for name, used in arrows.items() if used - ALLOWED[name]} == {}
