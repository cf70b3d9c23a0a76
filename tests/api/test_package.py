"""A wheel holds all that an installation needs, says truly what it needs, and is the same each time."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from email import message_from_bytes
from importlib.metadata import requires
from pathlib import Path

import pytest
from assay.front.cli.manual import PARTS
from assay.system.engine.binary import find_engine
from assay.system.engine.nullserver import find_nullserver
from packaging.requirements import Requirement
from packaging.tags import platform_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

from scripts.wheels import backend
from scripts.wheels.packing import pack

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
FOUND = """
import json
from assay.design.study import SHIPPED
from assay.experiments.comparison.published.studies import files_to_run
from assay.system.engine import find_engine
from assay.system.engine.nullserver import find_nullserver
programs = [str(find_engine()), str(find_nullserver())]
from assay.front.cli.manual import DOCS
places = [str(DOCS), str(SHIPPED)]
print(json.dumps([*places, len(list(SHIPPED.rglob("*.toml"))), len(files_to_run("003")), *programs]))
"""


@pytest.fixture(scope="module")
def binaries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the programs that are built here."""
    folder = tmp_path_factory.mktemp("built")
    for program in (find_engine(), find_nullserver()):
        (folder / program.name).symlink_to(program)
    return folder


@pytest.fixture(scope="module")
def wheel(binaries: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack(binaries, tmp_path_factory.mktemp("wheel"))


def files_in(*folders: str) -> set[str]:
    """The files of the checkout in these folders, without what Python has compiled."""
    return {
        str(path.relative_to(ROOT))
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_all_of_the_product_is_in_it_as_its_list_says(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
        programs = {one.filename for one in archive.infolist() if one.external_attr >> 16 & 0o111}
    python = {name.removeprefix("python/") for name in files_in("python/assay")}
    studies = {f"assay/{name}" for name in files_in("studies")}
    manual = {
        f"assay/{page.relative_to(ROOT)}" for part in PARTS for page in (ROOT / "docs" / part).glob("*.md")
    }
    assert {
        "assay/py.typed",
        "assay/studies/quickstart.toml",
        "assay/docs/guide/install.md",
    } <= content.keys()
    assert (python | studies | manual) - content.keys() == set()
    assert {"assay/bin/assay-engine", "assay/bin/assay-nullserver"} <= programs
    (listed,) = (text.decode() for name, text in content.items() if name.endswith("/RECORD"))
    digests = {name: digest for name, digest, _ in csv.reader(listed.splitlines()) if digest}
    assert digests.keys() == {name for name in content if not name.endswith("/RECORD")}
    for name, digest in digests.items():
        found = base64.urlsafe_b64encode(hashlib.sha256(content[name]).digest()).rstrip(b"=")
        assert digest == f"sha256={found.decode()}"


def test_it_says_what_it_needs(wheel: Path) -> None:
    name, version, _, tags = parse_wheel_filename(wheel.name)
    assert {one.platform for one in tags} <= set(platform_tags())  # the programs have run here
    with zipfile.ZipFile(wheel) as archive:
        info = f"{name}-{version}.dist-info"
        told = message_from_bytes(archive.read(f"{info}/METADATA"))
        assert f"Tag: {next(iter(tags))}" in archive.read(f"{info}/WHEEL").decode().splitlines()
        assert "assay = assay.front.cli:main" in archive.read(f"{info}/entry_points.txt").decode()
    always = [one for one in map(Requirement, told.get_all("Requires-Dist")) if one.marker is None]
    assert always == list(map(Requirement, PROJECT["dependencies"]))
    assert told.get_all("Provides-Extra") == list(PROJECT["optional-dependencies"])
    assert told["Requires-Python"] == PROJECT["requires-python"]


def test_a_newer_glibc_is_in_its_tag(binaries: Path, tmp_path: Path) -> None:
    (tmp_path / "built").mkdir()
    for program in binaries.iterdir():
        newest = max(re.findall(rb"\0GLIBC_2\.(\d\d)(?=\0)", program.read_bytes()), key=int)
        changed = program.read_bytes().replace(b"GLIBC_2." + newest, b"GLIBC_2.99")
        (tmp_path / "built" / program.name).write_bytes(changed)
    assert "-manylinux_2_99_" in pack(tmp_path / "built", tmp_path).name


def test_an_installation_finds_its_own_parts(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for one in archive.infolist():
            place = Path(archive.extract(one, tmp_path))
            place.chmod(one.external_attr >> 16)
    found = subprocess.run(
        [sys.executable, "-c", FOUND],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    docs, studies, count, repeated, *programs = json.loads(found.stdout)
    assert (docs, studies) == (str(tmp_path / "assay/docs"), str(tmp_path / "assay/studies"))
    assert count == len([name for name in files_in("studies") if name.endswith(".toml")])
    assert repeated > 1
    assert [Path(one).parent for one in programs] == [tmp_path / "assay/bin"] * 2


def test_the_same_content_is_the_same_wheel(wheel: Path, binaries: Path, tmp_path: Path) -> None:
    again = pack(binaries, tmp_path)
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


def test_the_sources_of_a_wheel_are_in_the_source_package(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / backend.build_sdist(str(tmp_path))) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert files_in("python/assay", "studies", "crates", "docs/guide", "scripts/wheels") - packed == set()
    assert {"PKG-INFO", "pyproject.toml", "Cargo.lock", "LICENSE"} <= packed


def pinned(*names: str) -> set[str]:
    """Packages of lists in requirements/."""
    lines = [line for name in names for line in (ROOT / f"requirements/{name}.txt").read_text().splitlines()]
    return {canonicalize_name(line.partition("==")[0]) for line in lines if not line.startswith("#")}


def closure(wanted: Iterable[str]) -> set[str]:
    """Packages that these need, and all that those need, as they say themselves."""
    waiting, found = [*map(Requirement, wanted)], dict[str, set[str]]()
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        new = {"", *one.extras} - found.setdefault(name, set())
        found[name] |= new
        for text in requires(name) or []:
            needed = Requirement(text)
            if any(needed.marker is None or needed.marker.evaluate({"extra": extra}) for extra in new):
                waiting.append(needed)
    return set(found)


def test_the_lists_of_packages_are_what_is_needed_and_no_more() -> None:
    runs = closure(PROJECT["dependencies"])
    assert pinned("run") == runs
    auth, fleet = (closure(PROJECT["optional-dependencies"][extra]) for extra in ("auth", "fleet"))
    assert pinned("auth") == auth - runs
    assert pinned("fleet") == fleet - runs
    assert pinned("develop") == closure(PYPROJECT["dependency-groups"]["dev"]) - runs - auth - fleet
