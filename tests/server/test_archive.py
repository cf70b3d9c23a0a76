"""Archives within archives, modes that were lost, paths that lead outside."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from assay.base.errors import HostError
from assay.system.server import Build
from assay.system.server.flavour import Part
from assay.system.server.release.archive import single_folder, unpack
from assay.system.server.release.elf import Provenance, read_making


def jar(path: Path) -> Path:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("share/english/errmsg.sys", "words")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("5-5/Linux/mysqld", "#!/bin/sh\n")
        archive.writestr("5-5/Windows/mysqld.exe", "MZ")
        archive.writestr("5-5/share.jar", inner.getvalue())
    return path


def test_parts_of_a_jar_in_a_jar(tmp_path: Path) -> None:
    parts = (Part("5-5/Linux/mysqld", "bin/mysqld"), Part("5-5/share.jar!share", "share"))
    unpack([jar(tmp_path / "x.jar")], parts, tmp_path / "out", tmp_path)
    files = {
        str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()
    }
    assert files == {"bin/mysqld", "share/english/errmsg.sys"}
    assert (tmp_path / "out/bin/mysqld").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "out/share/english/errmsg.sys").stat().st_mode & 0o444 == 0o444


def test_a_part_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="the archive has no 5-6/mysqld"):
        unpack([jar(tmp_path / "x.jar")], (Part("5-6/mysqld", "m"),), tmp_path / "out", tmp_path)


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.uid, made.mode = kind, link, 4242, 0o4666
    return made


OUTSIDE = {
    "a name": [member("../outside")],
    "an absolute link": [member("link", tarfile.SYMTYPE, "/etc"), member("link/outside")],
    "a file through a link": [member("link", tarfile.SYMTYPE, ".."), member("link/outside")],
    "a hard link": [member("link", tarfile.LNKTYPE, "../file"), member("outside")],
    "a device": [member("outside", tarfile.CHRTYPE)],
}


@pytest.mark.parametrize("filters", [True, False], ids=["filters", "no filters"])
@pytest.mark.parametrize("members", OUTSIDE.values(), ids=OUTSIDE)
def test_what_leads_outside(
    members: list[tarfile.TarInfo], filters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not filters:  # Python before 3.11.4
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/file").touch()
    with tarfile.open(tmp_path / "evil.tar", "w") as archive:
        for one in members:
            archive.addfile(one, io.BytesIO())
    with pytest.raises(HostError, match="cannot be unpacked"):
        unpack([tmp_path / "evil.tar"], (Part("", "."),), tmp_path / "in/out", tmp_path / "in")
    assert not list(tmp_path.rglob("outside"))


@pytest.mark.parametrize("filters", [True, False], ids=["filters", "no filters"])
def test_a_tarball_keeps_its_links_and_loses_its_owner(
    filters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not filters:
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
    with tarfile.open(tmp_path / "good.tar", "w") as archive:
        archive.addfile(member("top/lib/real"), io.BytesIO())
        archive.addfile(member("top/lib/soft", tarfile.SYMTYPE, "real"), io.BytesIO())
        archive.addfile(member("top/hard", tarfile.LNKTYPE, "top/lib/real"), io.BytesIO())
    unpack([tmp_path / "good.tar"], (Part("top", "."),), tmp_path / "out", tmp_path)
    real = (tmp_path / "out/lib/real").stat()
    assert (real.st_uid, real.st_mode & 0o7022) == (os.getuid(), 0)
    assert (tmp_path / "out/lib/soft").readlink() == Path("real")
    assert (tmp_path / "out/hard").samefile(tmp_path / "out/lib/real")


def test_archives_are_laid_over_each_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            archive.writestr(f"usr/lib/{name}", name)
    unpack([tmp_path / "a.zip", tmp_path / "b.zip"], (Part("", "."),), tmp_path / "out", tmp_path)
    assert {path.name for path in (tmp_path / "out/usr/lib").iterdir()} == {"a", "b"}
    assert single_folder(tmp_path / "out") == tmp_path / "out" / "usr"


def test_what_a_binary_says_of_its_making(mariadb_build: Build, tmp_path: Path) -> None:
    making = read_making(mariadb_build.mysqld)
    assert any(library.startswith("libc.so") for library in making.libraries)
    assert making.allocator == "libc"
    (tmp_path / "script").write_text("#!/bin/sh\n")
    assert read_making(tmp_path / "script") == Provenance()
    (tmp_path / "cut").write_bytes(b"\x7fELF\x02\x01" + b"\xff" * 90)
    assert read_making(tmp_path / "cut") == Provenance()
    assert Provenance(libraries=("libm.so.6", "libtcmalloc.so.4")).allocator == "tcmalloc"
