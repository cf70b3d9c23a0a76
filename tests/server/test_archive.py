"""Archives within archives, modes that were lost, paths that lead outside."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from assay.errors import HostError
from assay.server import Build
from assay.server.flavour import Part
from assay.server.release.archive import single_folder, unpack
from assay.server.release.elf import Making, read_making


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


def test_a_path_that_leads_outside(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "evil.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("../outside"), io.BytesIO())
    with pytest.raises(HostError, match="cannot be unpacked"):
        unpack([tmp_path / "evil.tar"], (Part("", "."),), tmp_path / "in" / "out", tmp_path / "in")
    assert not (tmp_path / "outside").exists()


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
    assert read_making(tmp_path / "script") == Making()
    (tmp_path / "cut").write_bytes(b"\x7fELF\x02\x01" + b"\xff" * 90)
    assert read_making(tmp_path / "cut") == Making()
    assert Making(libraries=("libm.so.6", "libtcmalloc.so.4")).allocator == "tcmalloc"
