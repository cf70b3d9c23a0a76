"""What trials on bare systems keep and find; the trials themselves are `scripts/package check`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.packaging import record
from scripts.packaging.chroot import Chroot
from scripts.packaging.debian import RECIPES
from scripts.packaging.image import carry_out, instructions
from scripts.packaging.libraries import PACKAGES
from scripts.packaging.trial import Step, leftovers, own_paths

RECIPE = (RECIPES / "Containerfile").read_text()


@pytest.mark.parametrize(
    ("left", "named"),
    [
        ("/opt/assay/lib/x.pyc", True),
        ("/etc/systemd/system/multi-user.target.wants/assay-serve.service", True),
        ("/var/lib/assay/data", True),
        ("/var/library", True),
        ("/home/tester/results/quickstart/report.html", False),
        ("/var/lib/dpkg/info/x.list", False),
    ],
)
def test_purged_packages_leave_nothing(left: str, named: bool) -> None:
    before = frozenset({"/etc", "/opt"})
    assert (left in leftovers(before, before | {left})) is named
    assert not leftovers(before, before)


def test_folders_that_packages_share_are_nobodys_own(tmp_path: Path) -> None:
    (tmp_path / "base.list").write_text("/usr\n/usr/bin\n")
    (tmp_path / "assay.list").write_text("/usr\n/usr/bin\n/usr/bin/assay\n/opt/assay\n")
    assert own_paths(tmp_path) == {"/usr/bin/assay", "/opt/assay"}


def test_a_trial_is_of_one_file_alone(tmp_path: Path) -> None:
    package = tmp_path / "assay.deb"
    package.write_bytes(b"one")
    assert record.outcome(package, "debian-12") is None
    record.keep(package, "debian-12", [Step("install"), Step("demo", "exit 1")])
    record.keep(package, "debian-13", [Step("install")])
    assert record.outcome(package, "debian-12") == "demo: exit 1"
    assert record.outcome(package, "debian-13") == ""
    package.write_bytes(b"two")
    assert record.outcome(package, "debian-13") is None


def test_the_recipe_of_the_image_gives_no_rights() -> None:
    steps = list(instructions(RECIPE))
    assert [rest for name, rest in steps if name == "USER"] == ["10001:10001"]
    assert dict(steps)["ENTRYPOINT"] == '["/usr/bin/assay"]'
    installed = next(rest for name, rest in steps if "mariadb-server-core" in rest)
    assert set(PACKAGES.values()) - {"libc6"} <= set(re.findall(r"[\w+.-]+", installed))


def test_a_recipe_is_carried_out(tmp_path: Path) -> None:
    stages = iter(("first", "second"))

    def base(name: str) -> Chroot:
        root = tmp_path / next(stages)
        root.mkdir()
        return Chroot(root)

    (tmp_path / "assay_1+py311_arm64.deb").write_text("planted")
    recipe = """
        # a comment
        FROM one AS packed
        COPY assay_*_${TARGETARCH}.deb /x.deb
        FROM two
        COPY --from=packed /x.deb /y.deb
        ENV A=1 B=2
        VOLUME /results /home
        USER 7:8
        ENTRYPOINT ["/usr/bin/assay"]
    """
    made = carry_out(recipe, tmp_path, base, "arm64")
    assert (made.system.root / "y.deb").read_text() == "planted"
    assert (made.user, made.volumes, made.environment) == ("7:8", ["/results", "/home"], {"A": "1", "B": "2"})
    assert made.entry == ["/usr/bin/assay"]


@pytest.mark.parametrize("line", ["HEALTHCHECK NONE", "COPY missing.deb /x"])
def test_a_step_that_cannot_be_tried_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises((ValueError, FileNotFoundError)):
        carry_out(f"FROM one\n{line}\n", tmp_path, lambda name: Chroot(tmp_path), "amd64")
