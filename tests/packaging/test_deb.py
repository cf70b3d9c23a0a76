"""The package for Debian and Ubuntu, built of a planted wheel."""

from __future__ import annotations

import gzip
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from assay.system.engine import find_engine
from planted_wheel import plant

from scripts.packaging.completions import completions
from scripts.packaging.debian import Label, build
from scripts.packaging.installation import Source
from scripts.packaging.interpreter import find_interpreter
from scripts.packaging.libraries import depends
from scripts.packaging.wheel import engine_of, read_name

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is missing")
VERSION = "{}.{}".format(*sys.version_info)
TAG = VERSION.replace(".", "")
LABEL = Label("Somebody <somebody@debian.org>", 1_750_000_000, "what is inside")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deb")
    (locked := folder / "lock").touch()
    wheel = read_name(plant(folder, broken=b"{{ a template }}\n"))
    interpreter = Path(sys.executable)
    return build(Source(wheel, [locked], interpreter, VERSION, ("--no-index",)), LABEL, folder)


@pytest.fixture(scope="module")
def unpacked(package: Path) -> Path:
    folder = package.parent / "unpacked"
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    return folder


def test_what_it_says_of_itself(package: Path) -> None:
    assert package.name == f"assay_0.1.0-1+py{TAG}_amd64.deb"
    said = subprocess.check_output(["dpkg-deb", "--field", package], text=True)
    fields = dict(line.split(": ", 1) for line in said.splitlines() if not line.startswith(" "))
    assert fields["Depends"] == f"python{VERSION}"
    assert fields["Maintainer"] == LABEL.maintainer
    assert int(fields["Installed-Size"]) > 10


def test_it_holds_whatever_a_system_looks_for(unpacked: Path) -> None:
    commands = unpacked / "opt/assay/bin"
    assert (commands / "assay").read_text().startswith("#!/opt/assay/bin/python3\n")
    assert (commands / "python3").readlink() == Path(f"/usr/bin/python{VERSION}")
    assert (unpacked / "usr/bin/assay").readlink() == Path("/opt/assay/bin/assay")
    assert (commands / "assay-engine").resolve().read_text() == "#!/bin/sh\necho engine\n"
    for place in completions():
        assert "_ASSAY_COMPLETE" in (unpacked / place).read_text()
    assert b".TH ASSAY 1" in gzip.decompress((unpacked / "usr/share/man/man1/assay.1.gz").read_bytes())
    assert (unpacked / "usr/lib/systemd/system/assay-serve.service").is_file()
    assert gzip.decompress((unpacked / "usr/share/doc/assay/NOTICE.gz").read_bytes()) == b"what is inside"


def test_nothing_is_written_into_it_later_and_nothing_tells_where_it_was_made(unpacked: Path) -> None:
    modules = unpacked / f"opt/assay/lib/python{VERSION}/site-packages"
    (compiled,) = (modules / "assay/__pycache__").glob("__init__.*.pyc")
    assert compiled.read_bytes()[4:8] == b"\1\0\0\0"  # PEP 552: by the hash of the source, unchecked
    assert not list(modules.rglob("direct_url.json"))
    made = str(unpacked.parent).encode()
    assert not [path for path in unpacked.rglob("*") if path.is_file() and made in path.read_bytes()]


def test_modes_and_times_are_those_of_the_policy(package: Path) -> None:
    listed = subprocess.check_output(["dpkg-deb", "--contents", package], text=True).splitlines()
    assert {line.split()[0] for line in listed} <= {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x", "lrwxrwxrwx"}
    assert {line.split()[1] for line in listed} == {"root/root"}
    assert {line.split()[3] for line in listed} == {"2025-06-15"}
    programs = {line.split()[5] for line in listed if line.startswith("-rwx")}
    inside = f"lib/python{VERSION}/site-packages/assay/bin/assay-engine"
    assert programs == {"./opt/assay/bin/assay", f"./opt/assay/{inside}"}


def test_libraries_become_dependencies_and_unknown_ones_are_refused(tmp_path: Path) -> None:
    shutil.copy("/bin/true", tmp_path / "one.so")
    (found,) = depends(tmp_path)
    assert found.startswith("libc6 (>= 2.")
    shutil.copy("/usr/bin/dpkg-deb", tmp_path / "two.so")  # needs liblzma, which no wheel may ask of a system
    with pytest.raises(LookupError, match=r"two\.so needs lib"):
        depends(tmp_path)


def test_an_interpreter_is_of_the_version_that_was_asked_for() -> None:
    assert find_interpreter(VERSION).is_file()
    with pytest.raises(LookupError, match=r"python3\.99"):
        find_interpreter("3.99")


@pytest.mark.parametrize(
    ("name", "machine", "glibc"),
    [
        ("assay-0.1.0-py3-none-manylinux_2_34_x86_64.whl", "x86_64", 34),
        ("assay-0.1.0-py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.whl", "aarch64", 17),
        ("assay-0.1.0-py3-none-linux_x86_64.whl", "x86_64", None),
    ],
)
def test_names_of_wheels(name: str, machine: str, glibc: int | None) -> None:
    wheel = read_name(Path(name))
    assert (wheel.version, wheel.machine, wheel.glibc) == ("0.1.0", machine, glibc)


@pytest.mark.parametrize(
    "name", ["assay-0.1.0-py3-none-any.whl", "other-1-py3-none-linux_x86_64.whl", "assay.whl"]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        read_name(Path(name))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the planted wheel is for x86_64")
def test_packages_are_described_by_the_engine_of_their_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = read_name(plant(tmp_path))
    for before in (None, "/somewhere/else"):
        if before is not None:
            monkeypatch.setenv("ASSAY_ENGINE", before)
        else:
            monkeypatch.delenv("ASSAY_ENGINE", raising=False)
        with engine_of([wheel]):
            assert subprocess.check_output(find_engine()) == b"engine\n"
        assert os.environ.get("ASSAY_ENGINE") == before
