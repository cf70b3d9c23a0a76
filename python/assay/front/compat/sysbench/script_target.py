"""The server of a script: sysbench's options of the driver as an address for the engine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from assay.base.decoding import whole_number
from assay.base.errors import InputError
from assay.base.format.job import Target, Tls, TlsMode
from assay.system.server import PASSWORD_ENV

_MOST_PORT = 2**16 - 1
_SOCKETS = ("/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock", "/tmp/mysql.sock")
"""Where client libraries look for a server on `localhost`."""

_TLS: dict[str, TlsMode | None] = {
    "": None,
    "off": "disabled",
    "disabled": "disabled",
    "on": "required",
    "preferred": "preferred",
    "required": "required",
    "verify_ca": "verify-ca",
    "verify_identity": "verify-identity",
}


def targets_of(
    values: dict[str, Any], *, port_given: bool, login_s: float
) -> tuple[list[Target], dict[str, str]]:
    """Returns the addresses of the servers, in the order in which connections take turns, and the environment
    that holds the passwords.

    As in sysbench, every host is asked at every port, and sockets go before hosts. In front of each may stand
    a user of its own: `report@db2`. As with client libraries, `localhost` without a port is the server behind
    the usual socket.
    """
    hosts, sockets = _items(values["mysql_host"]), _items(values["mysql_socket"])
    ports = [_port(text) for text in _items(values["mysql_port"])]
    if not sockets and not port_given and hosts == ["localhost"]:
        sockets = [path for path in _SOCKETS if Path(path).exists()][:1]
    places = [(socket, 0) for socket in sockets] or [(host, port) for host in hosts for port in ports]
    if not places:
        raise InputError("--mysql-host and --mysql-port must name a server", hint="leave them out: localhost")
    environment: dict[str, str] = {}
    made = [
        _target(
            values,
            place,
            port,
            environment,
            is_socket=bool(sockets),
            connect_timeout_ms=round(login_s * 1000),
        )
        for place, port in places
    ]
    return made, environment


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _port(text: str) -> int:
    port = whole_number(text)
    if port is None or not 0 < port <= _MOST_PORT:
        raise InputError(f"--mysql-port={text}: expected a port from 1 to {_MOST_PORT}")
    return port


def _target(
    values: dict[str, Any],
    place: str,
    port: int,
    environment: dict[str, str],
    *,
    is_socket: bool,
    connect_timeout_ms: int,
) -> Target:
    """Returns one address; its password is put into the environment."""
    own_user, _, place = place.rpartition("@")
    user = own_user or values["mysql_user"]
    mode = values["mysql_ssl"].lower()
    if mode not in _TLS:
        raise InputError(f"--mysql-ssl={mode}: expected one of {', '.join(filter(None, _TLS))}")
    password = (
        os.environ.get(f"MYSQL_PWD_{user}")
        or values["mysql_password"]
        or os.environ.get("MYSQL_PWD")
        or os.environ.get(PASSWORD_ENV)
    )
    name = f"{PASSWORD_ENV}_{user}" if own_user else PASSWORD_ENV
    if password:
        environment[name] = password
    return Target(
        socket=place if is_socket else None,
        host=values["mysql_host"] if is_socket else place,
        port=port or int(_items(values["mysql_port"])[0]),
        user=user,
        password_env=name if password else None,
        connect_timeout_ms=connect_timeout_ms,
        database=values["mysql_db"],
        tls=Tls(
            mode=_TLS[mode],
            ca=values["mysql_ssl_ca"] or None,
            cert=values["mysql_ssl_cert"] or None,
            key=values["mysql_ssl_key"] or None,
        ),
        ps_mode=values["db_ps_mode"],
    )
