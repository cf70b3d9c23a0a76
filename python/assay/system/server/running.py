"""A server that runs already, given by its DSN: never started, stopped or changed."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from assay.base.errors import ConnectError
from assay.design.folder import Scalar
from assay.system.server.address import Address
from assay.system.server.connection import Connection
from assay.system.server.variables.check import check_in_force
from assay.system.server.variables.reading import global_variables


class RunningServer:
    """A running server, with the methods of an `Instance`. A study's variables are only verified: its owner
    sets them.
    """

    def __init__(self, address: Address, variables: Mapping[str, Scalar]) -> None:
        self.address = address
        self.variables = dict(variables)

    def connect(self, *, read_timeout_s: float | None = None) -> Connection:
        """Opens a connection. Raises ConnectError when the server does not answer or refuses the login."""
        return self.address.connect(read_timeout_s=read_timeout_s)

    def alive(self) -> bool:
        try:
            self.connect().close()
        except ConnectError:
            return False
        return True

    def log_tail(self, lines: int) -> str:
        """Returns an empty text: the log of a server that others run is not read."""
        return ""

    def verify(self) -> dict[str, str]:
        """Returns the values in force of all variables that the study states. Raises as `Instance.verify`
        does.
        """
        with contextlib.closing(self.connect()) as connection:
            actual = global_variables(connection)
        return check_in_force(self.variables, actual, where=f"server at {self.address}")
