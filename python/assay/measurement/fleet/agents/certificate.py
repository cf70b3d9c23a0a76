"""The TLS of a fleet: every host derives one key and its certificate from the token, and takes no other.

The certificate is pinned, since it is the only one that either end trusts, and who presents it knows the
token. TLS 1.3 (RFC 8446) exchanges keys that only one connection has, so whoever learns the token later
cannot read what was recorded earlier.
"""

from __future__ import annotations

import base64
import hashlib
import os
import ssl
from functools import lru_cache

from assay.base.ed25519 import public_key, sign

PROTOCOL = "assay-fleet-3"
"""The name of the frames inside TLS, which both ends must state (ALPN, RFC 7301)."""

_SALT = b"assay fleet"
_SCRYPT_ROUNDS = 1 << 14
"""Rounds of scrypt (RFC 7914). A stranger who calls an agent sees the certificate and may guess tokens: each
guess takes some 50 ms and 16 MiB.
"""
_FROM, _TO = (0x17, b"000101000000Z"), (0x18, b"99991231235959Z")
"""From 2000 on and without an end (RFC 5280, 4.1.2.5), each time with the tag of its type: hosts whose
calendars differ must trust the same certificate.
"""
_SEQUENCE, _SET, _WHOLE, _BITS, _OCTETS, _TEXT = 0x30, 0x31, 0x02, 0x03, 0x04, 0x0C
_ED25519, _COMMON_NAME = bytes.fromhex("06032b6570"), bytes.fromhex("0603550403")
"""The algorithm (RFC 8410) and the attribute of a name (RFC 5280), as identifiers in DER."""


@lru_cache(maxsize=8)
def tls_context(token: bytes, *, calls: bool) -> ssl.SSLContext:
    """Returns the TLS context of one end; `calls` is whether this end opens connections. Both ends present
    the certificate of the token, and trust nothing else.
    """
    certificate, key = _certificate(token)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT if calls else ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # the certificate is that of the fleet, not of a host
    context.verify_mode = ssl.CERT_REQUIRED
    context.set_alpn_protocols([PROTOCOL])
    context.load_verify_locations(cadata=certificate)
    if not calls:
        context.num_tickets = 0  # no session is resumed
    # OpenSSL reads keys from files alone: this one is in memory, and gone afterwards.
    descriptor = os.memfd_create("assay-fleet")
    with os.fdopen(descriptor, "wb") as file:
        file.write((certificate + key).encode())
        file.flush()
        context.load_cert_chain(f"/proc/self/fd/{descriptor}")
    return context


def _certificate(token: bytes) -> tuple[str, str]:
    """Returns the certificate of a token and its key, as PEM. Ed25519 signs without random numbers, so that
    the certificate is the same on every host.
    """
    seed = hashlib.scrypt(token, salt=_SALT, n=_SCRYPT_ROUNDS, r=8, p=1, dklen=32)
    algorithm = _der(_SEQUENCE, _ED25519)
    name = _der(_SEQUENCE, _der(_SET, _der(_SEQUENCE, _COMMON_NAME, _der(_TEXT, b"assay fleet"))))
    signed = _der(
        _SEQUENCE,
        _der(0xA0, _der(_WHOLE, b"\2")),  # version 3
        _der(_WHOLE, b"\1"),  # serial number
        algorithm,
        name,  # who signs it
        _der(_SEQUENCE, _der(*_FROM), _der(*_TO)),
        name,
        _der(_SEQUENCE, algorithm, _der(_BITS, b"\0", public_key(seed))),
    )
    certificate = _der(_SEQUENCE, signed, algorithm, _der(_BITS, b"\0", sign(seed, signed)))
    key = _der(_SEQUENCE, _der(_WHOLE, b"\0"), algorithm, _der(_OCTETS, _der(_OCTETS, seed)))
    encoded = base64.b64encode(key).decode()
    return (
        ssl.DER_cert_to_PEM_cert(certificate),
        f"-----BEGIN PRIVATE KEY-----\n{encoded}\n-----END PRIVATE KEY-----\n",
    )


def _der(tag: int, *parts: bytes) -> bytes:
    """Returns an element of ASN.1 in DER (X.690, 8.1): its tag, its length, and its parts."""
    content = b"".join(parts)
    size = len(content)
    if size < 0x80:
        return bytes((tag, size)) + content
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(digits))) + digits + content
