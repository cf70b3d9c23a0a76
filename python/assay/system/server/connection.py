"""The lab's own connections to servers: PyMySQL, with the lab's errors and a limit on every wait.

A server's answers are not trusted. PyMySQL raises whatever its parsing comes across (ValueError, IndexError,
struct.error, RuntimeError …); here all of it becomes an `AssayError`. An answer has limits of time and size,
and a password is sent only where nobody else can read it.
"""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pymysql
from pymysql.constants import CR
from pymysql.cursors import Cursor

from assay.base.decoding import whole_number, why_unreadable
from assay.base.errors import AssayError, ConnectError, ServerError, ServerLost
from assay.base.extras import lacking
from assay.base.printable import shortened

READ_S = 60.0
"""Limit for one answer, unless a caller knows its statement to be long."""

LARGEST_ANSWER = 64 * 2**20
"""Bytes of one answer. The lab reads variables, counters and counts."""

_OBJECT_BYTES = 16
"""Bytes that each read counts in addition, since even an empty row takes memory."""

_UNLOCKED, _RENEWED = (
    "unlock the account: ALTER USER … ACCOUNT UNLOCK",
    "give the account a password: SET PASSWORD",
)
_REMEDIES = {
    1040: "end other clients, or raise max_connections at the server",
    1203: "end other clients of the account, or raise max_user_connections at the server",
    1226: "raise the limit of the account (ALTER USER … WITH …), or wait until it holds no longer",
    1820: _RENEWED,
    1862: _RENEWED,
    3118: _UNLOCKED,
    4151: _UNLOCKED,
}
"""What to do about the server's words about an account, by its error code."""
_ACCESS_DENIED = {1044, 1045, 1130, 1524, 1698}  # server error codes
_LOST = {2006, 2013, 2055, 1053, 0}  # gone, lost, lost, shutting down; closed by ourselves after a loss
_LACKS = re.compile(r"'(\w+)' package is required")
_SYSTEM_SAID = re.compile(r"\(\[Errno -?\d+\] (.*)\)$")
"""The form in which PyMySQL passes on an error of the operating system."""
_IN_CLEAR = {b"mysql_clear_password", b"dialog", b"mysql_old_password"}

if TYPE_CHECKING:
    _Base = pymysql.connections.Connection[Cursor]
else:
    _Base = pymysql.connections.Connection


class Connection(_Base):
    """One connection with autocommit and no database, made by `Address.connect`; `closing` closes it.

    `where` names the server in messages, `password_from` the source of its password. `answer_s` limits each
    answer, `login_s` connecting and login together. `public_key`: PEM of the server's RSA key; without one,
    and with `key_from_server` False, a password is never encrypted with a key that came over an unencrypted
    connection: whoever answers could have sent it.
    """

    def __init__(
        self,
        *,
        where: str,
        password_from: str,
        login_s: float,
        answer_s: float,
        public_key: bytes | None,
        key_from_server: bool,
        tls: ssl.SSLContext | None,
        tls_required: bool,
        **arguments: Any,
    ) -> None:
        self._where = where
        self._password_from = password_from
        self._login_s, self._answer_s = login_s, answer_s
        self._deadline, self._limit_s, self._taken = 0.0, login_s, 0
        self._pinned, self._key_from_server, self._key = public_key, key_from_server, public_key
        super().__init__(
            autocommit=True,
            charset="utf8mb4",
            connect_timeout=login_s,
            read_timeout=login_s,
            write_timeout=READ_S,
            ssl=tls,
            ssl_disabled=tls is None,
            defer_connect=True,
            **arguments,
        )
        self._ssl_required = tls_required  # else: where the server offers none, without
        self.connect()

    def connect(self, sock: Any = None) -> None:
        """Connects and logs in; may be called again. Raises ConnectError when there is no server, or it
        refuses the login.
        """
        self._begin(self._login_s)
        self._read_timeout = self._login_s
        try:
            super().connect(sock)
        except AssayError:
            self._force_close()  # type: ignore[attr-defined]
            raise
        except Exception as error:
            raise self._no_login(error) from error
        self._read_timeout = self._answer_s

    def query(self, sql: Any, unbuffered: bool = False) -> int:
        with self._ours():
            return super().query(sql, unbuffered)

    def select_db(self, db: str) -> None:
        with self._ours():
            super().select_db(db)

    def commit(self) -> None:
        with self._ours():
            super().commit()

    def close(self) -> None:
        """Closes the connection, and tells the server if it still answers. Never raises."""
        if not self._closed:  # type: ignore[attr-defined]
            super().close()

    def rows(self, sql: str, arguments: Sequence[object] = (), *, columns: int = 1) -> list[tuple[Any, ...]]:
        """Returns the rows of a statement. Raises ServerError when they have fewer than `columns` columns."""
        with self.cursor() as cursor:
            cursor.execute(sql, tuple(arguments) or None)
            found = [tuple(row) for row in cursor.fetchall()]
            there = len(cursor.description or ())
        if there < columns:
            raise ServerError(
                f"{self._where} answered {_shown(sql)} with {there or 'no'} columns, {columns} are expected"
            )
        return found

    @contextmanager
    def _ours(self) -> Iterator[None]:
        """Turns every error of a statement into a ServerError or a ServerLost."""
        try:
            yield
        except AssayError:
            self._force_close()  # type: ignore[attr-defined]
            raise
        except pymysql.err.MySQLError as error:
            code, words = code_and_words(error)
            if code in _LOST:
                raise ServerLost(f"{words or 'the connection is closed'} [{self._where}]") from error
            if isinstance(error, pymysql.err.InternalError) and code is None:  # not the server's words
                raise self._unreadable(error) from error
            raise ServerError(
                f"{words} [server error {code}]", hint=_REMEDIES.get(code or 0), code=code
            ) from error
        except Exception as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> ServerError:
        self._force_close()  # type: ignore[attr-defined]
        return ServerError(
            f"the answer of {self._where} cannot be read: {why_unreadable(error)}",
            hint="check that it is a MySQL server, and that nothing in between changes its answers",
        )

    def _no_login(self, error: Exception) -> AssayError:
        start = f"cannot log in at {self._where}: "
        if lacks := _LACKS.match(str(error)):
            return lacking(lacks[1], "auth", f"{start}to encrypt the password as it wants")
        if not isinstance(error, pymysql.err.MySQLError):
            said = getattr(self, "server_version", None)
            version = "" if said is None else f" (it says that its version is {_shown(str(said))})"
            return ConnectError(
                f"{start}the server's answer cannot be read{version}: {why_unreadable(error)}",
                hint="check that a MySQL server listens at this address",
            )
        code, words = code_and_words(error)
        if reason := _SYSTEM_SAID.search(words):  # there was no server to log in at
            start, words = f"cannot connect to {self._where}: ", reason[1].lower()
        hint = _REMEDIES.get(code or 0, "is the server running, and is the address right?")
        if code in _ACCESS_DENIED:
            hint = f"check the user's name and host; its password is read from {self._password_from}"
        return ConnectError(f"{start}{words or type(error).__name__}", hint=hint, code=code)

    # What PyMySQL calls while it reads.

    def _begin(self, limit_s: float) -> None:
        self._limit_s, self._deadline, self._taken = limit_s, time.monotonic() + limit_s, 0

    def _execute_command(self, command: int, sql: Any) -> None:
        if self._read_timeout == self._answer_s:
            self._begin(self._answer_s)
        super()._execute_command(command, sql)  # type: ignore[misc]

    def _read_bytes(self, num_bytes: int) -> bytes:
        """Reads as PyMySQL does, within the time limit of an answer.

        The limit also holds for a server that sends single bytes now and then.
        """
        self._taken += num_bytes + _OBJECT_BYTES
        if self._taken > LARGEST_ANSWER:
            raise ServerError(f"an answer of {self._where} has more than {LARGEST_ANSWER >> 20} MiB")
        parts, missing = [], num_bytes
        while missing:
            if time.monotonic() > self._deadline:
                raise self._silent()
            try:
                part = self._rfile.read1(missing)  # type: ignore[attr-defined]
            except TimeoutError as error:
                raise self._silent() from error
            except OSError as error:
                raise _lost(f"connection lost: {error}") from error
            if not part:
                raise _lost("connection lost: the server closed it")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def _silent(self) -> pymysql.err.OperationalError:
        self._force_close()  # type: ignore[attr-defined]
        return _lost(f"no whole answer within {self._limit_s:g} s")

    def _get_server_information(self) -> None:
        """Reads the greeting.

        PyMySQL then reads the version's first part as a number, which the text of another server or of a
        proxy need not be; it only asks whether the number is at least 5.
        """
        super()._get_server_information()  # type: ignore[misc]
        said = str(self.server_version)  # type: ignore[has-type]
        if whole_number(said.partition(".")[0]) is None:
            self.server_version = f"5.{said}"

    def _process_auth(self, plugin_name: bytes, *rest: Any) -> Any:
        """Carries out the authentication that the server chose, but refuses to send the password in clear
        text without TLS.
        """
        if plugin_name in _IN_CLEAR and not self._secure:  # type: ignore[attr-defined]
            raise ConnectError(
                f"cannot log in at {self._where}: it asks for the password in clear text"
                f" ({plugin_name.decode('ascii', 'replace')}), which needs TLS",
                hint="add ssl_mode=verify-identity&ssl_ca=FILE to the DSN",
            )
        return super()._process_auth(plugin_name, *rest)  # type: ignore[misc]

    @property
    def server_public_key(self) -> bytes | None:
        """The key with which PyMySQL encrypts a password; raises rather than use a key sent over an
        unencrypted connection.
        """
        if self._key is None and self.password and not (self._key_from_server or self._secure):  # type: ignore[attr-defined]
            raise self._no_key()
        return self._key

    @server_public_key.setter
    def server_public_key(self, key: bytes | None) -> None:
        if key is None or self._pinned is not None:
            return
        if not self._key_from_server:
            raise self._no_key()
        self._key = key

    def _no_key(self) -> ConnectError:
        return ConnectError(
            f"cannot log in at {self._where}: it wants the password encrypted with its public key, and a key"
            " that comes over an open connection may be forged",
            hint="add server_public_key=FILE to the DSN (or ssl_mode=verify-identity&ssl_ca=FILE, or, where"
            " nobody is in between, get_server_public_key=true)",
        )


def code_and_words(error: BaseException) -> tuple[int | None, str]:
    """Returns the number and the text of a driver's error; the number is None where it has none."""
    first, *rest = (*error.args, "")
    if isinstance(first, int):
        return first, shortened(str(rest[0])) if rest else ""
    return None, shortened(str(first))


def tls_context(mode: str, ca: str | None, cert: str | None, key: str | None) -> ssl.SSLContext | None:
    """Returns the TLS context for a `--ssl-mode` of the MySQL clients; None for no TLS. Raises OSError when a
    file cannot be read.
    """
    if mode == "disabled":
        return None
    context = ssl.create_default_context(cafile=ca)
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # certificates that MySQL makes itself do not pass it
    context.check_hostname = mode == "verify-identity"
    if mode in ("preferred", "required"):
        context.verify_mode = ssl.CERT_NONE
    if cert is not None:
        context.load_cert_chain(cert, keyfile=key)
    return context


def _lost(words: str) -> pymysql.err.OperationalError:
    return pymysql.err.OperationalError(CR.CR_SERVER_LOST, words)


def _shown(text: str) -> str:
    short = text if len(text) <= 80 else f"{text[:80]}…"
    return repr(short)
