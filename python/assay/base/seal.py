"""Seals what this account has written into a folder that others can write, too.

A seal is a keyed hash. The key is in a file that only this account reads, so nobody else can make a seal that
holds, and one that another machine made does not hold here.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path

from assay.base.home import home

_KEY_BYTES = 32


def seal_of(*parts: bytes) -> str:
    """Returns the seal of these parts."""
    sealed = hmac.new(_key(home()), digestmod=hashlib.sha256)
    for part in parts:
        sealed.update(len(part).to_bytes(8, "big") + part)
    return sealed.hexdigest()


def is_sealed(seal: str, *parts: bytes) -> bool:
    """Returns whether this account has sealed these parts."""
    return hmac.compare_digest(seal.encode(errors="replace"), seal_of(*parts).encode())


@cache
def _key(place: Path) -> bytes:
    """Returns the key of this account; where none can be kept, one that only this process has."""
    file = place / "seal.key"
    try:
        return _kept(file) or _made(file)
    except OSError:
        return secrets.token_bytes(_KEY_BYTES)


def _kept(file: Path) -> bytes | None:
    """Returns the key in a file that belongs to this account alone; None where there is none."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as content:
        found = os.fstat(handle)
        is_own = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
        key = content.read(_KEY_BYTES) if is_own else b""
    if len(key) != _KEY_BYTES:
        file.unlink()
        return None
    return key


def _made(file: Path) -> bytes:
    """Writes a new key, or returns the one that another process has written meanwhile."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(secrets.token_bytes(_KEY_BYTES))
        with suppress(FileExistsError):
            os.link(part, file)  # unlike a rename, this never replaces the key that others have sealed with
    finally:
        part.unlink()
    key = _kept(file)
    if key is None:
        raise OSError("the key cannot be kept")
    return key
