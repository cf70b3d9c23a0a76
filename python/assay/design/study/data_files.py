"""Names of data of one's own in a study, the files behind them, and what tells these from any others."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.base.file_cache import FileCache, name_of
from assay.base.home import home
from assay.base.packed import COMPRESSED
from assay.design.study.nearest import did_you_mean

DUMP = "dump:"
"""Prefix of a dump, a file or a folder."""
DATADIR = "datadir:"
"""Prefix of a data directory."""
GENERATE = "generate:"
"""Prefix of a profile of data, of which rows are generated."""
FORMS = ("sql", "folder", "mydumper", "mysqlsh", "csv")
"""Forms of dumps that a name may give, as in `dump:csv:FOLDER`; else the files say which."""

AFTER = "after"
"""The value of `dataset.indexes` for indexes that are made after the rows."""

_UNPACKED = 5
"""How many times as large compressed SQL is when it is unpacked, generously."""
_LARGEST_SCALE = 1_000_000
_PIECE_BYTES = 1 << 20
_CACHE_BYTES = 16 << 20
_ALGORITHM = "sha256"


@dataclass(frozen=True)
class Data:
    """A value of `dataset.use`: its kind, the form that it names, and its path as it is written."""

    kind: str  # DUMP, DATADIR or GENERATE
    form: str | None
    path: str


def parse_data(value: object) -> Data:
    """Returns a value of `dataset.use` in its parts. Raises ValueError with a sentence."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not allowed; write dump:PATH in quotes")
    for kind in (DUMP, DATADIR, GENERATE):
        if not value.startswith(kind):
            continue
        rest, form = value.removeprefix(kind), None
        for one in FORMS if kind == DUMP else ():
            if rest.startswith(f"{one}:"):
                rest, form = rest.removeprefix(f"{one}:"), one
        if not rest:
            example = "shop.data.toml" if kind == GENERATE else "shop.sql.zst"
            raise ValueError(f'"{value}" names no file; write it as in "{kind}{example}"')
        return Data(kind, form, rest)
    if value.startswith("dsn:"):
        raise ValueError(
            "data are read from files: dump the server (mysqldump --single-transaction), and name the file"
        )
    raise ValueError(f'"{value}" is not allowed; write "dump:PATH", "datadir:PATH" or "generate:PATH"')


def data_use(path: str) -> str:
    """Returns a value of `dataset.use` for a path: of a file of TOML a profile of data, otherwise a dump. A
    path with a prefix is one already.
    """
    if path.startswith((DUMP, DATADIR, GENERATE)):
        return path
    return f"{GENERATE if path.endswith('.toml') else DUMP}{path}"


def parse_scale(value: object) -> float:
    """Returns a value of `dataset.scale`. Raises ValueError with a sentence."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0 < value <= _LARGEST_SCALE:  # type: ignore[operator]
        raise ValueError(f"{value!r} is not allowed; write a number above 0, as in scale = 10")
    return float(value)  # type: ignore[arg-type]


def data_path(path: str, folder: str) -> Path:
    """Returns where data lie that a study in this folder names."""
    return Path(folder, path).absolute()


def digest_of(path: Path) -> str:
    """Returns what tells a file, or all files of a folder, from any others: a SHA-256 of names and contents.

    A file that has kept its size, times and place is not read again. Raises OSError.
    """
    if not path.is_dir():
        return f"{_ALGORITHM}:{_digest_of_file(path)}"
    whole = hashlib.new(_ALGORITHM)
    for file in files_under(path):
        whole.update(f"{file.relative_to(path)}\0{_digest_of_file(file)}\n".encode(errors="surrogateescape"))
    return f"{_ALGORITHM}:{whole.hexdigest()}"


def files_under(folder: Path) -> list[Path]:
    """Returns the regular files of a folder and of those in it, by name; what is hidden is left out."""

    def failed(error: OSError) -> None:
        raise error

    found = []
    for above, folders, names in os.walk(folder, onerror=failed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [Path(above, name) for name in names if not name.startswith(".")]
    return sorted(file for file in found if stat.S_ISREG(file.stat().st_mode))


def unpacked_bytes(path: Path) -> int:
    """Returns the size of a file, or of all files of a folder, without compression, generously estimated.
    Raises OSError.
    """
    files = files_under(path) if path.is_dir() else [path]
    return sum(file.stat().st_size * (_UNPACKED if file.suffix in COMPRESSED else 1) for file in files)


def missing_data(path: Path) -> str | None:
    """Returns a sentence about a path where there is no file or folder, with the nearest name beside it, or
    one that nobody can read twice; None where data may be.
    """
    try:
        kind = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:
        return f"cannot read {path}: {error.strerror or error}"
    else:
        if stat.S_ISREG(kind) or stat.S_ISDIR(kind):
            return None
        return f"{path} must be a file or a folder: data are read more than once"
    beside = sorted(_names(path.parent))
    return f"there is no file {path}{did_you_mean(path.name, beside)}"


def _names(folder: Path) -> Iterator[str]:
    try:
        yield from (path.name for path in folder.iterdir())
    except OSError:
        return


def _digest_of_file(path: Path) -> str:
    info = path.stat()
    state = [info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns]
    cache = FileCache(home() / "digests", _CACHE_BYTES)
    name = name_of(str(path.absolute()), json.dumps(state))
    if (known := cache.read(name)) is not None:
        return known.decode()
    whole = hashlib.new(_ALGORITHM)
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            whole.update(piece)
    cache.write(name, whole.hexdigest().encode())
    return whole.hexdigest()
