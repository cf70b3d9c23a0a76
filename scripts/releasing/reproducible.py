"""Whether a wheel is the same whenever it is packed, and says nothing of the machine that built it."""

from __future__ import annotations

import hashlib
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from scripts.releasing.outcome import Outcome, judged

ROOT = Path(__file__).parents[2]
_PRINTED = re.compile(rb"[\x20-\x7e]{6,}")


def same_twice(pack: Callable[[Path], Path]) -> Outcome:
    """Packs into two folders and compares the sums of the files. `pack` returns the file that it wrote."""
    with tempfile.TemporaryDirectory(prefix="assay-twice-") as folder:
        sums = []
        for name in ("first", "second"):
            place = Path(folder) / name
            place.mkdir()
            sums.append(hashlib.sha256(pack(place).read_bytes()).hexdigest())
    same = sums[0] == sums[1]
    return Outcome("ok", f"sha256 {sums[0][:16]}…") if same else Outcome("failed", f"{sums[0]} and {sums[1]}")


def no_foreign_paths(wheels: Iterable[Path], places: Iterable[Path] = ()) -> Outcome:
    """Checks that nothing in the wheels names a folder of the machine that built them: the checkout, the home
    directory, or cargo's.
    """
    words = [str(place).encode() for place in (*places, ROOT, Path.home(), Path("/.cargo/registry"))]
    wrong, count = [], 0
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                count += 1
                found = _first_with(words, archive.read(name))
                if found:
                    wrong.append(f"{wheel.name}: {name} has {found}")
    return judged(wrong, f"{count} files") if count else Outcome("not done here", "dist has no wheel")


def _first_with(words: list[bytes], content: bytes) -> str:
    """The first text of the file with one of the words as a folder in it."""
    if not any(word in content for word in words):
        return ""
    for found in _PRINTED.finditer(content):
        at = next(
            (match for word in words if (match := re.search(re.escape(word) + rb"/[^\x00 :]*", found[0]))),
            None,
        )
        if at:
            return at[0].decode()
    return ""
