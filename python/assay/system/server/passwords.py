"""Passwords on their way to a server: encrypted with its RSA key, or as the secret of a signature.

PyMySQL leaves this arithmetic to two packages for cryptography in general. They take 20 MB, and the lab needs
one formula of each.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import secrets
from collections.abc import Iterator
from itertools import count

from pymysql import _auth

from assay.base import ed25519

_PEM = re.compile(rb"-----BEGIN (RSA )?PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END (?:RSA )?PUBLIC KEY-----")
_SEQUENCE, _WHOLE, _BITS = 0x30, 0x02, 0x03
_HASH_BYTES = 20
_KEY_BITS = range(512, 16385)
_LARGEST_EXPONENT = 2**32
"""OpenSSL's limits for keys of others: what is larger would keep a processor busy for long."""


def use_in_pymysql() -> None:
    """Makes PyMySQL encrypt and sign passwords by the functions of this module."""
    _auth.sha2_rsa_encrypt = encrypted
    _auth.ed25519_password = ed25519.sign  # type: ignore[assignment]


def encrypted(password: bytes, salt: bytes, public_key: bytes) -> bytes:
    """Returns a password as `sha256_password` and `caching_sha2_password` take it without TLS: mixed with the
    server's salt, and encrypted with its key (PEM) by RSAES-OAEP with SHA-1 (RFC 8017, 7.1.1).

    Raises ValueError for a key that cannot be read, and for a password that is longer than it can encrypt.
    """
    modulus, exponent = _key(public_key)
    size = (modulus.bit_length() + 7) // 8
    salt = salt[:_HASH_BYTES]
    message = bytes(byte ^ salt[at % len(salt)] for at, byte in enumerate(password + b"\0"))
    room = size - 2 * _HASH_BYTES - 2 - len(message)
    if room < 0:
        raise ValueError(f"a password of {len(password)} bytes is too long for the server's key")
    block = _sha1(b"") + bytes(room) + b"\1" + message
    seed = secrets.token_bytes(_HASH_BYTES)
    block = _mixed(block, seed)
    whole = _mixed(seed, block) + block
    return pow(int.from_bytes(whole, "big"), exponent, modulus).to_bytes(size, "big")


def _mixed(content: bytes, seed: bytes) -> bytes:
    """Returns the content under the mask that MGF1 makes of a seed (RFC 8017, B.2.1)."""
    blocks = (_sha1(seed + number.to_bytes(4, "big")) for number in count())
    mask: list[int] = []
    while len(mask) < len(content):
        mask += next(blocks)
    return bytes(byte ^ over for byte, over in zip(content, mask, strict=False))


def _sha1(content: bytes) -> bytes:
    return hashlib.sha1(content, usedforsecurity=False).digest()


def _key(pem: bytes) -> tuple[int, int]:
    """Returns modulus and exponent of a key, alone (RFC 8017, A.1.1) or with its algorithm (RFC 5280)."""
    if (found := _PEM.search(pem)) is None:
        raise ValueError("the server's public key is not a key in PEM")
    try:
        content = base64.b64decode(b"".join(found[2].split()), validate=True)
        (inner,) = _parts(content, _SEQUENCE)
        if found[1] is None:
            _, inner = _parts(inner, _SEQUENCE, _BITS)
            (inner,) = _parts(inner[1:], _SEQUENCE)  # the first byte counts bits that are left out
        modulus, exponent = (int.from_bytes(one, "big") for one in _parts(inner, _WHOLE, _WHOLE))
    except (ValueError, IndexError, binascii.Error):
        raise ValueError("the server's public key is not an RSA key") from None
    if modulus.bit_length() not in _KEY_BITS or not modulus & 1:
        raise ValueError(f"the server's public key has {modulus.bit_length()} bits")
    if not 3 <= exponent < _LARGEST_EXPONENT:
        raise ValueError("the server's public key has an exponent out of range")
    return modulus, exponent


def _parts(content: bytes, *kinds: int) -> list[bytes]:
    """Returns the contents of elements of these kinds in DER. Raises ValueError when there are others."""
    found = list(_elements(content))
    if tuple(kind for kind, _ in found) != kinds:
        raise ValueError("other elements")
    return [inner for _, inner in found]


def _elements(content: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(content):
        kind, size = content[at], content[at + 1]
        at += 2
        if size & 0x80:
            digits = size & 0x7F
            size = int.from_bytes(content[at : at + digits], "big")
            at += digits
        if at + size > len(content):
            raise ValueError("cut off")
        yield kind, content[at : at + size]
        at += size
