"""Passwords are encrypted and signed as other implementations read them."""

from __future__ import annotations

import os

import pytest
from assay.base import ed25519
from assay.system.server import passwords
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pymysql import _auth

OAEP = padding.OAEP(mgf=padding.MGF1(hashes.SHA1()), algorithm=hashes.SHA1(), label=None)
KEY = rsa.generate_private_key(65537, 1024)
PEM = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
SALT = bytes(range(20))


@pytest.mark.parametrize("form", [PublicFormat.SubjectPublicKeyInfo, PublicFormat.PKCS1])
@pytest.mark.parametrize("password", [b"", b"x", "sesame ütf8 #1".encode(), b"y" * 85])
def test_a_server_decrypts_what_was_encrypted(password: bytes, form: PublicFormat) -> None:
    pem = KEY.public_key().public_bytes(Encoding.PEM, form)
    sent = passwords.encrypted(password, SALT + b"\0", pem)
    assert sent != passwords.encrypted(password, SALT + b"\0", pem)
    clear = KEY.decrypt(sent, OAEP)
    assert bytes(byte ^ SALT[at % 20] for at, byte in enumerate(clear)) == password + b"\0"


CURVE = ec.generate_private_key(ec.SECP256R1()).public_key()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nothing", "not a key in PEM"),
        ("bytes", "not a key in PEM"),
        ("private", "not a key in PEM"),
        ("cut", "not an RSA key"),
        ("other form", "not an RSA key"),
        ("short", "not an RSA key"),
        ("filling", "not an RSA key"),
        ("curve", "not an RSA key"),
        ("tiny", "has 2 bits"),
    ],
)
def test_what_is_not_a_key_is_said(name: str, why: str) -> None:
    pem = {
        "nothing": b"",
        "bytes": b"\xff\0",
        "private": PEM.replace(b"PUBLIC", b"PRIVATE"),
        "cut": PEM[:60] + PEM[100:],
        "other form": PEM.replace(b"PUBLIC", b"RSA PUBLIC"),
        "short": b"-----BEGIN PUBLIC KEY-----\nMIGf\n-----END PUBLIC KEY-----",
        "filling": b"-----BEGIN PUBLIC KEY-----\n====\n-----END PUBLIC KEY-----",
        "curve": CURVE.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        "tiny": b"-----BEGIN RSA PUBLIC KEY-----\nMAYCAQMCAQM=\n-----END RSA PUBLIC KEY-----",
    }[name]
    with pytest.raises(ValueError, match=why):
        passwords.encrypted(b"x", SALT, pem)


def test_a_password_that_a_key_cannot_encrypt() -> None:
    with pytest.raises(ValueError, match="a password of 86 bytes is too long"):
        passwords.encrypted(b"y" * 86, SALT, PEM)


def test_signatures_are_those_of_others() -> None:
    for size in (0, 1, 32, 300):
        seed, message = os.urandom(32), os.urandom(size)
        key = Ed25519PrivateKey.from_private_bytes(seed)
        assert ed25519.public_key(seed) == key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        assert ed25519.sign(seed, message) == key.sign(message)


def test_a_password_of_any_length_signs() -> None:
    """MariaDB's plugin takes the password where Ed25519 has a key of 32 bytes; the bytes are libsodium's."""
    assert ed25519.sign(b"foobar", bytes(range(32))).hex() == (
        "15b850956c15de59f927685de1d628476c138451d84705676f6fb16433e259c9"
        "6ab314e146897062f6de89d161405298430710c392613dec9f14c4b3d0179b0f"
    )


def test_pymysql_uses_them() -> None:
    import assay.system.server.connection

    assert assay.system.server.connection
    assert KEY.decrypt(_auth.sha2_rsa_encrypt(b"", SALT, PEM), OAEP) == b"\0"
    assert _auth.ed25519_password is ed25519.sign
    assert _auth.sha2_rsa_encrypt is passwords.encrypted
