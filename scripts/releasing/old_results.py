"""Whether results of every release open with this version: each release keeps the results of one small study.

`tests/golden/0.1.0.assay.tar.gz` is what the release 0.1.0 measured, and `0.1.0.json` what it said of it.
`python -m scripts.releasing.old_results RESULTS` keeps the results in the folder RESULTS for this version.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.base.version import VERSION
from assay.experiments.lab import judged, open_bundle, results_folder, write_bundle

from scripts.releasing.outcome import Outcome
from scripts.releasing.outcome import judged as outcome_of

ROOT = Path(__file__).parents[2]
GOLDEN = Path("tests/golden")
_SOURCES = ("study.toml", "study.json", "plan.json")
"""What nobody can make again of a results folder beside its runs; the rest would only be weight."""
_RUNS = ("b01-*", "b02-*")


def old_results_open(root: Path = ROOT) -> Outcome:
    """Checks that the kept results of each release in the change log open, with the figures of then."""
    wrong = []
    releases = re.findall(r"(?m)^## \[([\d.]+)\]", (root / "CHANGELOG.md").read_text())
    for release in releases:
        archive = root / GOLDEN / f"{release}.assay.tar.gz"
        if not archive.is_file():
            wrong.append(f"{GOLDEN} has no results of {release}")
            continue
        try:
            said = figures(archive)
        except AssayError as error:
            wrong.append(f"results of {release} do not open: {error.message}")
            continue
        kept = json.loads(archive.with_name(f"{release}.json").read_text())
        wrong += [f"results of {release} say another {name}" for name in kept if kept[name] != said.get(name)]
    return outcome_of(wrong, f"results of {', '.join(releases)}")


def figures(archive: Path) -> dict[str, Any]:
    """Returns what this version says of the results in an archive."""
    with tempfile.TemporaryDirectory(prefix="assay-golden-") as folder:
        place = Path(folder) / "results"
        open_bundle(archive, place)
        with judged(results_folder(place)) as found:
            results = found.results
    throughput = [one for one in results.estimates if one.measure == "tps"]
    return {
        "study": results.study,
        "blocks": results.blocks_complete,
        "failed": len(results.runs_failed),
        "claims": {one.claim: one.outcome for one in results.hypotheses},
        "tps": {f"{one.treatment}, {one.load:g}": float(f"{one.value:.4g}") for one in throughput},
    }


def keep(results: Path, root: Path = ROOT) -> Path:
    """Keeps the first two blocks of a results folder as those of this version, and returns the archive."""
    archive = root / GOLDEN / f"{VERSION}.assay.tar.gz"
    archive.parent.mkdir(parents=True, exist_ok=True)
    archive.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="assay-golden-") as folder:
        copy = Path(folder) / "results"
        copy.mkdir()
        for name in _SOURCES:
            shutil.copy(results / name, copy / name)
        for run in (one for pattern in _RUNS for one in results.glob(f"runs/{pattern}")):
            shutil.copytree(run, copy / "runs" / run.name)
        write_bundle(results_folder(copy).path, archive)
    archive.with_name(f"{VERSION}.json").write_text(json.dumps(figures(archive), indent=1) + "\n")
    return archive


if __name__ == "__main__":
    print(keep(Path(sys.argv[1])))
