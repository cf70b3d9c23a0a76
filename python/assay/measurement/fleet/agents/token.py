"""The token of a fleet: a secret that every host of it has in a file of its own.

It is never an argument of a command, which other users could read, and never sent.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from assay.base.errors import InputError
from assay.system.server import home

_LEAST = 16


def token_path() -> Path:
    """Returns where the token is that no fleet file and no option names."""
    return home() / "fleet" / "token"


def make_token(path: Path) -> bytes:
    """Writes a new token to a file that only this user can read, and returns it; a file that is there is
    read.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_token(path)
    token = secrets.token_hex(32)
    with os.fdopen(descriptor, "w") as file:
        file.write(token + "\n")
    return token.encode()


def read_token(path: Path) -> bytes:
    """Returns the token in a file. Raises `InputError` where there is none, or where others may read it."""
    try:
        mode, token = path.stat().st_mode, path.read_bytes().strip()
    except OSError as error:
        raise InputError(
            f"cannot read the token of the fleet from {path}: {error.strerror}",
            hint="run `assay fleet token` on one host, and copy the file to every other",
        ) from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InputError(f"the token file {path} must be closed to others", hint=f"run chmod 600 {path}")
    if len(token) < _LEAST:
        raise InputError(f"the token in {path} must have at least {_LEAST} characters")
    return token
