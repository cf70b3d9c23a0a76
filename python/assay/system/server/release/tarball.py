"""Finds the build in a tarball that a study names with `path:`; it is unpacked once, by its content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from assay.base.errors import HostError
from assay.system.server.release.answers import Answers
from assay.system.server.release.archive import is_archive, is_named_archive
from assay.system.server.release.build import Build
from assay.system.server.release.consent import require_consent, require_consent_to_unpack
from assay.system.server.release.get import unpack_into
from assay.system.server.release.unpacked import manifest_of, servers_dir

_BY_CONTENT = ".by-content"
"""Beside the releases that have a name: a tarball of a study never becomes what `mysql@8.0` means."""

_DIGEST_ASKED = ("sha256",)
_ELF = b"\x7fELF"


def is_tarball(file: Path) -> bool:
    """Returns whether a file is an archive or named like one, and no program. One that cannot be read is
    neither: whoever starts it says so.
    """
    try:
        with file.open("rb") as opened:
            if opened.read(len(_ELF)) == _ELF:
                return False
        return is_named_archive(file.name) or is_archive(file)
    except OSError:
        return False


def build_in(file: Path, step: Callable[[str], None] = lambda _: None) -> Build:
    """Returns the build in a tarball. Raises NotStartedError where it may not be unpacked now, and HostError
    where it holds no server, or none that runs here.
    """
    if not is_archive(file):
        raise HostError(
            f"path:{file}: is not a zip, jar, tar or deb archive", hint="give a vendor's tarball of a server"
        )
    folder = _folder(file)
    if here := manifest_of(folder):
        build = here.build(folder)
        require_consent(build.mysqld)
        return build
    require_consent_to_unpack(file)
    return unpack_into(folder, file, folder.name, step)


def packed(uses: Iterable[str]) -> list[Path]:
    """Returns the tarballs among `path:` servers whose content has not been unpacked yet."""
    files = [Path(use.removeprefix("path:")).expanduser() for use in uses if use.startswith("path:")]
    return [
        file
        for file in files
        if file.is_file() and is_tarball(file) and not manifest_of(_folder(file.absolute()))
    ]


def _folder(file: Path) -> Path:
    return servers_dir() / _BY_CONTENT / _sha256(file)


def _sha256(file: Path) -> str:
    answers = Answers((str(file),), {}, (file,))  # of the file's state before it is read
    digest = answers.get(_DIGEST_ASKED, str)
    if digest is None:
        with file.open("rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
        answers.keep(_DIGEST_ASKED, digest)
    return digest
