"""A DSN that asks for TLS gets it, for the lab's own connections and for the engine's."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from assay.base.errors import ConnectError, InputError
from assay.system.engine import jobs
from assay.system.engine.interrupts import Interrupts
from assay.system.engine.process import run_job
from assay.system.server import Address, Build, Instance, PrivateDir, parse_dsn, snapshot_copy
from assay.system.server.process.port import LOOPBACK
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID

pytestmark = pytest.mark.live

Dsn = Callable[[str], Address]


def _certificate(
    folder: Path, name: str, signer: tuple[x509.Name, rsa.RSAPrivateKey] | None
) -> tuple[x509.Name, rsa.RSAPrivateKey]:
    key = rsa.generate_private_key(65537, 2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer, signing = signer or (subject, key)
    now = datetime.datetime.now(datetime.UTC)
    hour = datetime.timedelta(hours=1)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - hour)
        .not_valid_after(now + hour)
        .add_extension(x509.BasicConstraints(ca=signer is None, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(LOOPBACK))]), critical=False
        )
        .sign(signing, hashes.SHA256())
    )
    (folder / f"{name}.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / f"{name}-key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
    )
    return subject, key


@pytest.fixture(scope="module")
def folder(assay_home: Path) -> Path:
    """Certificates: of the server, of who signed it, and of somebody else."""
    path = assay_home / "certificates"
    path.mkdir()
    ca = _certificate(path, "ca", None)
    _certificate(path, "server", ca)
    _certificate(path, "other", None)
    return path


@pytest.fixture(scope="module")
def with_tls(mariadb_build: Build, fresh_data: Path, folder: Path) -> Iterator[Instance]:
    files = {
        "ssl_ca": str(folder / "ca.pem"),
        "ssl_cert": str(folder / "server.pem"),
        "ssl_key": str(folder / "server-key.pem"),
    }
    with PrivateDir() as private:
        snapshot_copy(fresh_data, private.path / "data")
        kept = (private.records / "log", private.records / "cnf")
        with Instance(mariadb_build, private.path / "data", files, *kept, listen=LOOPBACK) as server:
            yield server


@pytest.fixture
def dsn(with_tls: Instance, monkeypatch: pytest.MonkeyPatch) -> Dsn:
    assert with_tls.password is not None
    monkeypatch.setenv("ASSAY_PASSWORD", with_tls.password)
    return lambda query: parse_dsn(f"dsn:mysql://root@{LOOPBACK}:{with_tls.port}/assay?{query}")


def asked(address: Address) -> ConnectError | None:
    """What the engine says to it."""
    job = jobs.job(
        "cleanup", target=jobs.target(address), workload="oltp_read_only", options={"tables": 1}, seed=1
    )
    outcome = run_job(job, interrupts=Interrupts(), env=address.environment())
    assert outcome.error is None or isinstance(outcome.error, ConnectError)
    return outcome.error


@pytest.mark.parametrize(
    ("query", "encrypted"),
    [
        ("ssl_mode=disabled", False),
        ("", False),  # nobody is between on loopback
        ("ssl_mode=preferred", True),
        ("ssl_mode=required", True),
        ("ssl_mode=verify-ca&ssl_ca={folder}/ca.pem", True),
        ("ssl_ca={folder}/ca.pem", True),
        ("ssl_mode=VERIFY_IDENTITY&ssl_ca={folder}/ca.pem", True),
    ],
)
def test_what_a_dsn_asks_for(dsn: Dsn, folder: Path, query: str, encrypted: bool) -> None:
    address = dsn(query.format(folder=folder))
    with closing(address.connect()) as connection:
        ((_, cipher),) = connection.rows("SHOW STATUS LIKE 'Ssl_cipher'")
    assert bool(cipher) is encrypted
    assert asked(address) is None


def test_a_server_that_somebody_else_signed_is_refused(dsn: Dsn, folder: Path) -> None:
    address = dsn(f"ssl_ca={folder}/other.pem")
    with pytest.raises(ConnectError, match="certificate verify failed"):
        address.connect()
    assert asked(address) is not None


def test_files_that_are_not_there(dsn: Dsn) -> None:
    for query in ("ssl_ca=/nowhere.pem", "server_public_key=/nowhere.pem"):
        with pytest.raises(InputError, match=r"cannot be used"):
            dsn(query).connect()
