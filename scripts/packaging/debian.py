"""Builds the package for Debian and Ubuntu of one installation, with dpkg-deb alone.

A package is for one version of Python, as compiled modules are: `python3.11` is Debian 12's and Ubuntu
22.04's, 3.12 is Ubuntu 24.04's, 3.13 is Debian 13's. An interpreter of its own inside would be one more thing
to keep safe.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from scripts.packaging.completions import completions
from scripts.packaging.installation import COMMANDS, PLACE, Source, lay_out
from scripts.packaging.libraries import depends
from scripts.packaging.man import PLACE as MAN_PAGE
from scripts.packaging.man import man_page

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "packaging"
_DOC = Path("usr/share/doc/assay")
_SCRIPTS = ("prerm", "postrm")


@dataclass(frozen=True)
class Label:
    """What the package says of itself beside its content. `made_at`: seconds since 1970, the time of every
    file in it.
    """

    maintainer: str
    made_at: int
    notice: str

    @property
    def date(self) -> str:
        """The time as a change log has it."""
        return format_datetime(datetime.fromtimestamp(self.made_at, UTC))


def file_name(source: Source) -> str:
    """Returns the name of the package's file."""
    return f"assay_{_version(source)}_{source.wheel.architecture}.deb"


def build(source: Source, label: Label, out: Path) -> Path:
    """Writes the package into the folder `out`, and returns its path."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="assay-deb-", dir=out) as folder:
        root = Path(folder) / "root"
        place = lay_out(source, root)
        for path, content in _files(source, label).items():
            _write(root / path, content)
        _link_commands(root)
        _control(source, label, root, [f"python{source.version}", *depends(place)])
        _same_modes(root)
        made = Path(folder) / file_name(source)
        words = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", str(root), str(made)]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(label.made_at)}
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)
        return Path(shutil.move(made, out / made.name))


def _version(source: Source) -> str:
    return f"{source.wheel.version}-1+py{source.version.replace('.', '')}"


def _files(source: Source, label: Label) -> Mapping[str, bytes]:
    """The content of every file outside of /opt, by its path."""
    news = (
        f"assay ({_version(source)}) unstable; urgency=medium\n\n"
        f"  * Version {source.wheel.version} for Python {source.version}.\n\n"
        f" -- {label.maintainer}  {label.date}\n"
    )
    return {
        **{place: text.encode() for place, text in completions().items()},
        f"{MAN_PAGE}.gz": _packed(man_page().encode()),
        f"{_DOC}/copyright": (RECIPES / "debian/copyright").read_bytes(),
        f"{_DOC}/NOTICE.gz": _packed(label.notice.encode()),
        f"{_DOC}/changelog.gz": _packed((ROOT / "CHANGELOG.md").read_bytes()),
        f"{_DOC}/changelog.Debian.gz": _packed(news.encode()),
        "usr/lib/systemd/system/assay-serve.service": (RECIPES / "assay-serve.service").read_bytes(),
        "usr/share/lintian/overrides/assay": (RECIPES / "debian/lintian-overrides").read_bytes(),
    }


def _packed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _link_commands(root: Path) -> None:
    (root / "usr/bin").mkdir(parents=True)
    for name in COMMANDS:
        (root / "usr/bin" / name).symlink_to(PLACE / "bin" / name)


def _control(source: Source, label: Label, root: Path, needs: list[str]) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
    text = (
        (RECIPES / "debian/control")
        .read_text()
        .format(
            version=_version(source),
            architecture=source.wheel.architecture,
            maintainer=label.maintainer,
            kibibytes=sum(-(-path.stat().st_size // 1024) for path in files),
            depends=", ".join(needs),
            python=source.version,
        )
    )
    _write(root / "DEBIAN/control", text.encode())
    _write(root / "DEBIAN/md5sums", "".join(sums).encode())
    for name in _SCRIPTS:
        shutil.copy(RECIPES / "debian" / name, root / "DEBIAN" / name)
        (root / "DEBIAN" / name).chmod(0o755)


def _same_modes(root: Path) -> None:
    """Sets the modes that Debian's policy has, whatever this machine's umask is."""
    for path in root.rglob("*"):
        if not path.is_symlink():
            runs = path.is_dir() or (path.stat().st_mode & 0o100 and _may_run(path.relative_to(root)))
            path.chmod(0o755 if runs else 0o644)
    root.chmod(0o755)


def _may_run(path: Path) -> bool:
    """Whether the file is a program: wheels mark many a module so, which is none."""
    return path.parts[0] == "DEBIAN" or path.parent.name == "bin"
