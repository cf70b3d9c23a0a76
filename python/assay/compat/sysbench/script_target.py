"""The server of a script: sysbench's options of the driver as an address for the engine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.format.job import Target, Tls, TlsMode
from assay.server import PASSWORD_ENV

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


def target_of(values: dict[str, Any], *, port_given: bool) -> tuple[Target, dict[str, str]]:
    """Returns the address of the server, and the environment that holds the password.

    As with client libraries, `localhost` without a port is the server behind the usual socket.
    """
    for name in ("mysql_host", "mysql_socket"):
        if "," in values[name]:
            option = name.replace("_", "-")
            raise InputError(f"--{option}={values[name]}: expected one server", hint="name one of them")
    host, socket = values["mysql_host"], values["mysql_socket"]
    if host == "localhost" and not socket and not port_given:
        socket = next((path for path in _SOCKETS if Path(path).exists()), "")
    mode = values["mysql_ssl"].lower()
    if mode not in _TLS:
        raise InputError(f"--mysql-ssl={mode}: expected one of {', '.join(filter(None, _TLS))}")
    password = values["mysql_password"] or os.environ.get("MYSQL_PWD") or os.environ.get(PASSWORD_ENV)
    made = Target(
        socket=socket or None,
        host=host,
        port=values["mysql_port"],
        user=values["mysql_user"],
        password_env=PASSWORD_ENV if password else None,
        database=values["mysql_db"],
        tls=Tls(
            mode=_TLS[mode],
            ca=values["mysql_ssl_ca"] or None,
            cert=values["mysql_ssl_cert"] or None,
            key=values["mysql_ssl_key"] or None,
        ),
        ps_mode=values["db_ps_mode"],
    )
    return made, ({PASSWORD_ENV: password} if password else {})
