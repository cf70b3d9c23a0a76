"""Signatures by Ed25519 (RFC 8032): of a fleet's certificate, and of a login at MariaDB.

A few bytes are signed for each connection; a library for that takes 4 to 15 MB. The arithmetic is that of
the RFC's section 5.1, on points in extended coordinates. Its time depends on the secret, and the machine that
signs is the one that knows the secret.
"""

from __future__ import annotations

import hashlib

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P

_Point = tuple[int, int, int, int]
"""X, Y, Z and T: x = X/Z, y = Y/Z, x * y = T/Z."""

_NEUTRAL: _Point = (0, 1, 1, 0)
_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
_BASE_Y = 4 * pow(5, -1, _P) % _P
_BASE: _Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)


def public_key(secret: bytes) -> bytes:
    """Returns the 32 bytes of the public key of a secret: of any length, where the RFC has 32 bytes."""
    return _encoded(_times(_scalar(_expanded(secret))))


def sign(secret: bytes, message: bytes) -> bytes:
    """Returns the 64 bytes of the signature of a message."""
    expanded = _expanded(secret)
    scalar = _scalar(expanded)
    once = _number(hashlib.sha512(expanded[32:] + message).digest())
    commitment = _encoded(_times(once))
    challenge = _number(hashlib.sha512(commitment + _encoded(_times(scalar)) + message).digest())
    return commitment + ((once + challenge * scalar) % _ORDER).to_bytes(32, "little")


def _expanded(secret: bytes) -> bytes:
    return hashlib.sha512(secret).digest()


def _scalar(expanded: bytes) -> int:
    """Returns the secret number: a multiple of 8 whose highest bit is bit 254 (5.1.5)."""
    return int.from_bytes(expanded[:32], "little") & (2**254 - 8) | 1 << 254


def _number(digest: bytes) -> int:
    return int.from_bytes(digest, "little") % _ORDER


def _sum(one: _Point, other: _Point) -> _Point:
    """Returns the sum of two points, which may be one and the same (5.1.4)."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % _P, (y1 + x1) * (y2 + x2) % _P
    c, d = 2 * t1 * t2 * _D % _P, 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(number: int) -> _Point:
    """Returns the base point, so many times."""
    found, power = _NEUTRAL, _BASE
    for bit in range(255):
        if number >> bit & 1:
            found = _sum(found, power)
        power = _sum(power, power)
    return found


def _encoded(point: _Point) -> bytes:
    """Returns y with the lowest bit of x as its highest (5.1.2)."""
    x, y, z, _ = point
    inverse = pow(z, -1, _P)
    return (y * inverse % _P | (x * inverse % _P & 1) << 255).to_bytes(32, "little")
