"""Another suite of the machine's own Debian archive, without touching the machine's sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.system.server.release import apt

DEB822 = """\
# a comment
Types: deb
URIs: mirror://one/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/one.gpg

Types: deb
URIs: mirror://security/debian
Suites: bookworm-security
Components: main
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "etc/sources.list.d").mkdir(parents=True)
    monkeypatch.setattr(apt, "SOURCES", tmp_path / "etc")
    monkeypatch.setattr(apt, "OS_RELEASE", tmp_path / "os-release")
    (tmp_path / "os-release").write_text('ID=debian\nVERSION_CODENAME="bookworm"\n')
    return tmp_path


def test_a_source_in_the_new_form(machine: Path) -> None:
    (machine / "etc/sources.list.d/other.list").write_text("deb mirror://cloud/apt sdk-bookworm main\n")
    (machine / "etc/sources.list.d/debian.sources").write_text(DEB822)
    options = apt.options_for_suite("sid", machine / "apt")
    assert (machine / "apt/suite.sources").read_text() == (
        "Types: deb\nURIs: mirror://one/debian\nSuites: sid\nComponents: main\n"
        "Signed-By: /usr/share/keyrings/one.gpg\n"
    )
    assert f"Dir::State={machine / 'apt/state'}" in options
    assert "Dir::Etc::sourceparts=-" in options


def test_a_source_in_the_old_form(machine: Path) -> None:
    (machine / "etc/sources.list").write_text(
        "# deb mirror://old/debian bookworm main\n"
        "deb-src mirror://two/debian bookworm main\n"
        "deb [arch=amd64 signed-by=/k.gpg] mirror://two/debian bookworm main contrib # ours\n"
    )
    assert apt.own_debian_source() == apt.PackageSource(
        "mirror://two/debian", ("bookworm",), ("main", "contrib"), "/k.gpg"
    )


def test_a_machine_that_is_no_debian(machine: Path) -> None:
    (machine / "os-release").write_text("ID=ubuntu\nVERSION_CODENAME=noble\n")
    (machine / "etc/sources.list").write_text("deb mirror://u/ubuntu noble main\n")
    with pytest.raises(HostError, match="no Debian package source"):
        apt.options_for_suite("sid", machine / "apt")
    assert not (machine / "apt").exists()
