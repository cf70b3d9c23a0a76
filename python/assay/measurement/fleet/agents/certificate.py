"""The TLS of a fleet: every host derives one key and its certificate from the token, and takes no other.

The certificate is pinned, since it is the only one that either end trusts, and who presents it knows the
token. TLS 1.3 (RFC 8446) exchanges keys that only one connection has, so whoever learns the token later
cannot read what was recorded earlier.
"""

from __future__ import annotations

import hashlib
import os
import ssl
from datetime import UTC, datetime
from functools import lru_cache

from assay.base.extras import need_package

PROTOCOL = "assay-fleet-3"
"""The name of the frames inside TLS, which both ends must state (ALPN, RFC 7301)."""

_SALT = b"assay fleet"
_SCRYPT_ROUNDS = 1 << 14
"""Rounds of scrypt (RFC 7914). A stranger who calls an agent sees the certificate and may guess tokens: each
guess takes some 50 ms and 16 MiB.
"""
_FROM = datetime(2000, 1, 1, tzinfo=UTC)
_TO = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""A certificate without an end (RFC 5280, 4.1.2.5): hosts whose calendars differ must trust the same one."""


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
    context.load_verify_locations(cadata=certificate.decode())
    if not calls:
        context.num_tickets = 0  # no session is resumed
    # OpenSSL reads keys from files alone: this one is in memory, and gone afterwards.
    descriptor = os.memfd_create("assay-fleet")
    with os.fdopen(descriptor, "wb") as file:
        file.write(certificate + key)
        file.flush()
        context.load_cert_chain(f"/proc/self/fd/{descriptor}")
    return context


def _certificate(token: bytes) -> tuple[bytes, bytes]:
    """Returns the certificate of a token and its key, as PEM. Ed25519 signs without random numbers, so that
    the certificate is the same on every host.
    """
    need_package("cryptography", "auth", "a fleet with agents")
    # Here: a lab without a fleet does not keep them while it measures.
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import NameOID

    seed = hashlib.scrypt(token, salt=_SALT, n=_SCRYPT_ROUNDS, r=8, p=1, dklen=32)
    key = Ed25519PrivateKey.from_private_bytes(seed)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "assay fleet")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .serial_number(1)
        .public_key(key.public_key())
        .not_valid_before(_FROM)
        .not_valid_after(_TO)
        .sign(key, None)
    )
    return (
        certificate.public_bytes(Encoding.PEM),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )
