"""`path:` takes a tarball: unpacked once by its content, by a run only, and never out of its folder."""

from __future__ import annotations

import io
import random
import tarfile
from pathlib import Path

import fake_clients
import pytest
from assay.base.errors import AssayError, HostError
from assay.front.cli.fetching import ready_for_servers
from assay.system.server import NotStartedError, consent, find_build
from assay.system.server.release.unpacked import servers_dir, unpacked


@pytest.fixture(autouse=True)
def _home(assay_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = assay_home / tmp_path.name
    home.mkdir(mode=0o755)
    monkeypatch.setenv("ASSAY_HOME", str(home))


def _kept() -> list[Path]:
    return sorted((servers_dir() / ".by-content").glob("*"))


@pytest.mark.parametrize("ending", ["tar.gz", "tar.xz", "tar", "bin"])
def test_a_tarball_is_unpacked_once_by_its_content(ending: str, tmp_path: Path) -> None:
    mode = {"tar.gz": "w:gz", "tar.xz": "w:xz"}.get(ending, "w")
    file, copy = tmp_path / f"mysql.{ending}", tmp_path / f"other.{ending}"
    _pack(file, mode, {"m/bin/mysqld": fake_clients.SAYS.format("5.7.99"), "m/share/english/errmsg.sys": ""})
    copy.write_bytes(file.read_bytes())
    build = find_build(f"path:{file}")
    assert build.version == (5, 7, 99)
    assert build.messages_dir == build.basedir / "share"
    inode = build.mysqld.stat().st_ino
    assert find_build(f"path:{copy}") == build
    assert find_build(f"path:{file}").mysqld.stat().st_ino == inode
    assert len(_kept()) == 1
    _pack(file, mode, {"m/bin/mysqld": fake_clients.SAYS.format("5.7.98")})
    assert find_build(f"path:{file}").version == (5, 7, 98), "another content is another build"
    assert len(_kept()) == 2
    assert unpacked() == [], "mysql@5.7 does not mean it"


def test_only_a_run_unpacks(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = fake_clients.tarball(tmp_path / "m.tar.gz", "5.7.99", "m", "bin/mysqld")
    for given in ("look", "none"):
        with consent(given), pytest.raises(NotStartedError, match="is unpacked by a run only"):
            find_build(f"path:{file}")
        assert _kept() == []
    ready_for_servers(f"path:{file}")
    assert f"{file} is unpacked before its first start" in capfd.readouterr().err
    find_build(f"path:{file}")
    ready_for_servers(f"path:{file}")
    assert capfd.readouterr().err == ""
    with consent("none"), pytest.raises(NotStartedError):
        find_build(f"path:{file}")


def _link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def _pack(file: Path, mode: str, texts: dict[str, str], *others: tarfile.TarInfo) -> None:
    with tarfile.open(file, mode) as archive:  # type: ignore[call-overload]
        for info in others:
            archive.addfile(info)
        for name, text in texts.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text.encode()))


@pytest.mark.parametrize(
    ("texts", "others"),
    [
        ({"../../../../out": "x"}, ()),
        ({"m/../../../../../out": "x"}, ()),
        ({"m/up/out": "x"}, (_link("m/up", "../../../../.."),)),
        ({"m/bin/mysqld": "x"}, (_link("m/bin", "/usr/local/bin"),)),
        ({"m/bin/mysqld": "x"}, (_link("m/share", "../../../out", tarfile.LNKTYPE),)),
        ({"m/bin/mysqld": "x"}, (_link("m/dev", "", tarfile.CHRTYPE),)),
        ({"m/lib/nothing": "x"}, ()),
        ({}, ()),
    ],
)
def test_what_is_no_servers_tarball_is_refused_and_leaves_nothing(
    texts: dict[str, str], others: tuple[tarfile.TarInfo, ...], tmp_path: Path
) -> None:
    file = tmp_path / "m.tar.gz"
    _pack(file, "w:gz", texts, *others)
    before = set(tmp_path.rglob("*"))
    with pytest.raises(HostError):
        find_build(f"path:{file}")
    assert set(tmp_path.rglob("*")) == before
    assert not list(servers_dir().parent.rglob("out"))
    assert _kept() == []
    assert not list(servers_dir().glob(".partial-*"))


@pytest.mark.parametrize("share", [0, 0.3, 0.9])
@pytest.mark.parametrize("ending", ["tar.gz", "tar.xz"])
def test_a_damaged_one_is_refused(ending: str, share: float, tmp_path: Path) -> None:
    file = tmp_path / f"m.{ending}"
    noise = random.Random(7).randbytes(20_000).hex()
    _pack(file, f"w:{ending[4:]}", {"m/bin/mysqld": fake_clients.SAYS.format("5.7.99"), "m/noise": noise})
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(AssayError):
        find_build(f"path:{file}")
    middle = len(whole) // 2
    file.write_bytes(whole[:middle] + bytes(64) + whole[middle + 64 :])
    with pytest.raises(AssayError):
        find_build(f"path:{file}")
