"""Every line of the check list of a release finds what it is for."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from assay.base.version import VERSION

from scripts.packaging import record
from scripts.packaging.systems import PYTHONS, SYSTEMS
from scripts.packaging.trial import Step
from scripts.releasing import artefacts, checklist, old_results
from scripts.releasing.checklist import nothing_uncommitted
from scripts.releasing.components import Component, components
from scripts.releasing.licence import is_permitted
from scripts.releasing.notice import licences, notice
from scripts.releasing.outcome import Outcome
from scripts.releasing.reproducible import no_foreign_paths, same_twice
from scripts.releasing.sbom import bill, bill_is_of
from scripts.releasing.versions import change_log_is_dated, versions_agree

MIT = Component("pypi", "one", "1.0", "MIT", ("text of MIT",))
VERSIONS: Mapping[str, str] = {
    "python/assay/base/version.py": 'VERSION = "0.1.0"\n',
    "Cargo.toml": '[workspace.package]\nversion = "0.1.0"\n',
    "Cargo.lock": '[[package]]\nname = "assay-engine"\nversion = "0.1.0"\n',
    "CHANGELOG.md": "# Changelog\n\n## [0.1.0] - 2026-12-01\n",
    "docs/guide/install.md": "pip install ./assay-0.1.0-py3-none-manylinux_2_17_x86_64.whl\n",
}


def _plant(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize("name", [None, *VERSIONS])
def test_versions_agree(name: str | None, tmp_path: Path) -> None:
    changed = {} if name is None else {name: VERSIONS[name].replace("0.1.0", "0.2.0")}
    found = versions_agree(_plant(tmp_path, {**VERSIONS, **changed}))
    assert found.state == ("ok" if name is None else "failed")
    assert name is None or name in found.why or "version.py" in found.why


def test_versions_agree_here() -> None:
    assert versions_agree(checklist.ROOT).state == "ok"


def test_a_person_dates_the_change_log(tmp_path: Path) -> None:
    assert change_log_is_dated(_plant(tmp_path, VERSIONS)).state == "ok"
    undated = {"CHANGELOG.md": "## [0.1.0] - unreleased\n"}
    assert change_log_is_dated(_plant(tmp_path, undated)).state == "not done here"


@pytest.mark.parametrize(
    ("expression", "permitted"),
    [
        ("MIT", True),
        ("GPL-2.0-only", False),
        ("MIT OR GPL-2.0-only", True),
        ("MIT AND GPL-2.0-only", False),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("GPL-3.0 OR (MIT AND LGPL-2.1)", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-2.0 WITH Classpath-exception-2.0", False),
        ("MIT/Apache-2.0", True),
        ("(MIT", False),
        ("MIT Apache-2.0", False),
        ("", False),
    ],
)
def test_licences_are_expressions(expression: str, permitted: bool) -> None:
    assert is_permitted(expression) is permitted
    assert licences([Component("cargo", "x", "1", expression)]).state == ("ok" if permitted else "failed")


def test_what_this_release_carries() -> None:
    parts = components()
    assert licences(parts).state == "ok", licences(parts).why
    names = {one.name for one in parts}
    assert {"rustls", "luajit-src", "duckdb", "pymysql", "pynacl", "uplot"} <= names
    assert not {"pytest", "insta", "ray", "assay-engine"} & names  # of development, of the fleet, our own
    text = notice(parts)
    assert all(f"{one.name} {one.version}: {one.licence}" in text for one in parts)
    assert "Mike Pall" in text
    written = bill(parts, 1_750_000_000)
    assert written == bill(parts, 1_750_000_000)
    assert bill_is_of(parts, written).state == "ok"
    assert bill_is_of([*parts, MIT], written).why == "lacks pkg:pypi/one@1.0"
    assert bill_is_of(parts[1:], written).state == bill_is_of(parts, None).state == "failed"


def test_packed_twice(tmp_path: Path) -> None:
    def always(folder: Path) -> Path:
        (folder / "x.whl").write_text("the same")
        return folder / "x.whl"

    def by_name(folder: Path) -> Path:
        (folder / "x.whl").write_text(folder.name)
        return folder / "x.whl"

    assert same_twice(always).state == "ok"
    assert same_twice(by_name).state == "failed"


def test_paths_of_the_building_machine(tmp_path: Path) -> None:
    for name, content in {
        "clean": b"\x7fELF\0/rustc/abc/library/core\0/usr/lib",
        "home": b"\x7fELF\0" + str(Path.home()).encode() + b"/.cargo/registry/src/x.rs\0",
        "checkout": str(checklist.ROOT).encode() + b"/crates/engine/src/main.rs",
        "other": b"\0/home/builder/.cargo/registry/src/index/y.rs",
    }.items():
        with zipfile.ZipFile(tmp_path / f"{name}.whl", "w") as archive:
            archive.writestr("assay-engine", content)
    states = {path.stem: no_foreign_paths([path]).state for path in tmp_path.glob("*.whl")}
    assert states == {"clean": "ok", "home": "failed", "checkout": "failed", "other": "failed"}
    assert no_foreign_paths([]).state == "not done here"


def test_wheels_and_sums(tmp_path: Path) -> None:
    assert artefacts.wheels_are_there(tmp_path, "0.1.0").state == "failed"
    for machine in ("x86_64", "aarch64"):
        (tmp_path / f"assay-0.1.0-py3-none-manylinux_2_17_{machine}.whl").write_text(machine)
    assert artefacts.wheels_are_there(tmp_path, "0.1.0").state == "ok"
    assert artefacts.wheels_are_there(tmp_path, "0.2.0").state == "failed"
    assert artefacts.sums_agree(tmp_path).state == "failed"
    lines = [f"{digest}  {name}\n" for name, digest in artefacts.sums(tmp_path).items()]
    (tmp_path / artefacts.SUMS).write_text("".join(lines))
    assert artefacts.sums_agree(tmp_path).state == "ok"
    (tmp_path / "assay-0.1.0-py3-none-linux_x86_64.whl").write_text("one more")
    assert artefacts.wheels_are_there(tmp_path, "0.1.0").why.endswith("promises no C library")
    assert artefacts.sums_agree(tmp_path).state == "failed"


def test_trials_count_for_the_file_that_was_tried(tmp_path: Path) -> None:
    system = SYSTEMS[0]
    assert artefacts.tried_on(tmp_path, system, "amd64").state == "not done here"
    package = tmp_path / "assay_0.1.0-1+py311_amd64.deb"
    package.write_text("first")
    assert artefacts.tried_on(tmp_path, system, "amd64").state == "not done here"
    record.keep(package, system.name, [Step("install")])
    record.keep(package, "image", [Step("demo", "no report")])
    assert artefacts.tried_on(tmp_path, system, "amd64").state == "ok"
    assert artefacts.tried_as_image(tmp_path, "amd64") == Outcome("failed", "demo: no report")
    assert artefacts.told_by_lintian(tmp_path, "amd64").state == "not done here"
    for version in PYTHONS:
        other = tmp_path / f"assay_0.1.0-1+py{version.replace('.', '')}_amd64.deb"
        other.write_text(f"first {version}")
        record.keep(other, "lintian", [Step("lintian")])
    assert artefacts.told_by_lintian(tmp_path, "amd64").state == "ok"
    record.keep(other, "lintian", [Step("lintian", "no-copyright-file")])
    assert artefacts.told_by_lintian(tmp_path, "amd64") == Outcome("failed", "lintian: no-copyright-file")
    package.write_text("second")
    assert artefacts.tried_on(tmp_path, system, "amd64").state == "not done here"


def test_checkers_of_others(tmp_path: Path) -> None:
    assert artefacts.asked("true", [], [tmp_path]).state == "ok"
    assert artefacts.asked("false", [], [tmp_path]).state == "failed"
    assert artefacts.asked("no-such-checker", [], [tmp_path]).state == "not done here"
    assert artefacts.asked("true", [], []).state == "not done here"


def test_nothing_uncommitted(tmp_path: Path) -> None:
    assert nothing_uncommitted(tmp_path / "..").state in ("failed", "ok")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    assert nothing_uncommitted(tmp_path).state == "ok"
    (tmp_path / "new").touch()
    assert nothing_uncommitted(tmp_path) == Outcome("failed", "new: 1 in all")


def test_results_of_every_release_open_with_the_figures_of_then(tmp_path: Path) -> None:
    assert "no results of 0.1.0" in old_results.old_results_open(_plant(tmp_path, VERSIONS)).why
    shutil.copytree(checklist.ROOT / old_results.GOLDEN, tmp_path / old_results.GOLDEN)
    shutil.copy(checklist.ROOT / "CHANGELOG.md", tmp_path)
    said = tmp_path / old_results.GOLDEN / f"{VERSION}.json"
    said.write_text(said.read_text().replace('"blocks": 2', '"blocks": 3'))
    # Every figure of every release is the same, but for the one that was changed here.
    assert old_results.old_results_open(tmp_path).why == f"results of {VERSION} say another blocks"
    archive = said.with_name(f"{VERSION}.assay.tar.gz")
    archive.write_bytes(archive.read_bytes()[:500])
    assert "do not open" in old_results.old_results_open(tmp_path).why


def test_the_list_is_whole(tmp_path: Path) -> None:
    names = [line.name for line in checklist.Release(tmp_path).lines()]
    assert len(names) == len(set(names))
    for system in SYSTEMS:
        assert {f"{system.name} amd64", f"{system.name} arm64"} <= set(names)
