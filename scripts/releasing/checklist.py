"""The check list of a release: one line for each thing that must hold, in the order in which it is read."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from assay.base.version import VERSION

from scripts.packaging.systems import SYSTEMS
from scripts.packaging.wheel import DEBIAN
from scripts.releasing import artefacts, notice, old_results, reproducible, sbom, versions
from scripts.releasing.components import Component, components
from scripts.releasing.outcome import Outcome

ROOT = Path(__file__).parents[2]
TARGETS = tuple(f"{machine}-unknown-linux-gnu.2.17" for machine in DEBIAN)
BUILT = tuple(ROOT / "target/for" / target for target in TARGETS)
"""Where `scripts/engine-for` leaves the programs of each machine."""
BILL = f"assay-{VERSION}.cdx.json"


@dataclass(frozen=True)
class Line:
    """A line of the list: what is checked, and the check."""

    name: str
    check: Callable[[], Outcome]


@dataclass
class Release:
    """The release whose artefacts are in the folder `dist`. With `tests`, all tests are run, for long."""

    dist: Path
    tests: bool = False

    @cached_property
    def parts(self) -> list[Component]:
        """The packages of others that it carries."""
        return components()

    def lines(self) -> Iterator[Line]:
        """Yields the list."""
        wheels = sorted(self.dist.glob("*.whl"))
        bill = self.dist / BILL
        yield Line("versions agree", partial(versions.versions_agree, ROOT))
        yield Line("change log is dated", partial(versions.change_log_is_dated, ROOT))
        yield Line("nothing uncommitted", partial(nothing_uncommitted, ROOT))
        yield Line("make check test-all", self._tests)
        yield Line("licences", lambda: notice.licences(self.parts))
        yield Line(
            "bill of materials",
            lambda: sbom.bill_is_of(self.parts, bill.read_text() if bill.is_file() else None),
        )
        yield Line("old results open", old_results.old_results_open)
        yield Line("wheels", partial(artefacts.wheels_are_there, self.dist, VERSION))
        yield Line("packed twice, same sum", self._twice)
        yield Line("no foreign paths", partial(reproducible.no_foreign_paths, wheels))
        yield Line("sums", partial(artefacts.sums_agree, self.dist))
        for architecture in DEBIAN.values():
            for system in SYSTEMS:
                name = f"{system.name} {architecture}"
                yield Line(name, partial(artefacts.tried_on, self.dist, system, architecture))
            yield Line(f"image {architecture}", partial(artefacts.tried_as_image, self.dist, architecture))
            yield Line(f"lintian {architecture}", partial(artefacts.told_by_lintian, self.dist, architecture))
        for wheel in wheels:
            yield Line(f"sizes {machine_of(wheel)}", partial(artefacts.sizes_of, wheel))
            yield Line(
                f"auditwheel {machine_of(wheel)}", partial(artefacts.asked, "auditwheel", ["show"], [wheel])
            )
        yield Line("twine", partial(artefacts.asked, "twine", ["check", "--strict"], wheels))
        yield Line("hadolint", partial(artefacts.asked, "hadolint", [], [ROOT / "packaging/Containerfile"]))
        yield Line(
            "benchmarks rerun", lambda: Outcome("not done here", "make bench bench-docs with this engine")
        )
        yield Line("tag, signatures", lambda: Outcome("not done here", "a person's, with a person's keys"))

    def _tests(self) -> Outcome:
        if not self.tests:
            return Outcome("not done here", "scripts/release --check --tests runs them, for half an hour")
        done = subprocess.run(["make", "check", "test-all"], cwd=ROOT)
        return Outcome("failed", f"make ended with {done.returncode}") if done.returncode else Outcome("ok")

    def _twice(self) -> Outcome:
        built = next((one for one in BUILT if one.is_dir()), None)
        if built is None:
            return Outcome("not done here", f"{BUILT[0]} has no programs: scripts/release --build")
        try:
            return reproducible.same_twice(partial(pack_wheel, built))
        except subprocess.CalledProcessError as error:
            return Outcome("failed", f"no wheel could be packed: {error}")


def pack_wheel(built: Path, folder: Path) -> Path:
    """Packs the wheel of programs that are built, into `folder`."""
    words = [str(ROOT / "scripts/wheel"), "--binaries", str(built), "--out", str(folder)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def machine_of(wheel: Path) -> str:
    """Returns the machine of a wheel, as its tag names it."""
    return next((one for one in DEBIAN if wheel.stem.endswith(one)), wheel.stem)


def nothing_uncommitted(root: Path) -> Outcome:
    """Checks that the checkout is its commit."""
    said = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True)
    changed = [line[3:] for line in said.stdout.splitlines()]
    if said.returncode:
        return Outcome("failed", said.stderr.strip())
    return Outcome("failed", f"{', '.join(changed[:3])}: {len(changed)} in all") if changed else Outcome("ok")
