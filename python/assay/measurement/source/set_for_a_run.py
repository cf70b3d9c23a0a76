"""Sets variables of a running server for the length of a run, and puts back the values that it had.

What a server had is kept in the lab's home until it has it again: after a kill of the lab, or while the
server is away, the next study that sets variables there puts it back before anything else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from assay.base.durable import write_whole
from assay.base.errors import AssayError, ConflictError, InputError, ServerError
from assay.base.locks import locked
from assay.design.folder import Scalar
from assay.design.plan import Treatment
from assay.design.study import did_you_mean
from assay.system.server import Address, Connection, home
from assay.system.server.variables import global_variables, name_there, server_identity, set_running

_RIGHTS = re.compile(r"ALL PRIVILEGES ON \*\.\* |\bSUPER\b|\bSYSTEM_VARIABLES_ADMIN\b| ADMIN\b")
"""Grants with which an account may set some global variable (MySQL manual, System Variable Privileges;
MariaDB: a right for each kind of variable).
"""
_ROLE = re.compile(r"GRANT [^ ]+ TO ")


@contextmanager
def set_for_a_run(address: Address, wanted: Mapping[str, Scalar]) -> Iterator[None]:
    """Sets global variables of a server for the length of the block, reads them back, and puts back what the
    server had, also when the block raises.

    Raises ServerError, in the server's words, for a value that it refuses; ConflictError while another lab
    sets variables of this server; ServerError that says what to put back by hand where that fails.
    """
    if not wanted:
        yield
        return
    with closing(address.connect()) as connection:
        had = _Had(address, _file(global_variables(connection)))
    with had.alone():
        had.put_back()
        try:
            with closing(address.connect()) as connection:
                flavour, actual = server_identity(connection).flavour, global_variables(connection)
                names = [name_there(flavour, name, actual.__contains__) for name in wanted]
                had.keep({name: actual[name] for name in names if name is not None})
                set_running(flavour, connection, wanted, f"server at {address}")
            yield
        finally:
            had.put_back()


def check_settable(connection: Connection, treatments: Sequence[Treatment], address: Address) -> None:
    """Raises an error for a variable that the server lacks, and for an account that may set none; sets
    nothing.
    """
    wanted = {name for treatment in treatments for name in treatment.dynamic}
    if not wanted:
        return
    flavour, actual = server_identity(connection).flavour, global_variables(connection)
    for name in sorted(wanted):
        if name_there(flavour, name, actual.__contains__) is None:
            also = did_you_mean(name, actual)
            raise InputError(f"server.dynamic.{name}: the server at {address} has no such variable{also}")
    grants = [str(grant) for (grant,) in connection.rows("SHOW GRANTS")]
    if not any(_RIGHTS.search(grant) or _ROLE.match(grant) for grant in grants):
        raise InputError(
            f"{address} may not set global variables, which server.dynamic needs",
            hint="grant SYSTEM_VARIABLES_ADMIN (MySQL 8.0 and later) or SUPER",
        )


def _file(variables: Mapping[str, str]) -> Path:
    """Returns where the values of a server are kept, whichever address leads to it."""
    own = "|".join(variables.get(name, "") for name in ("hostname", "port", "socket", "datadir"))
    return home() / "set" / f"{hashlib.sha256(own.encode()).hexdigest()[:16]}.json"


@dataclass(frozen=True)
class _Had:
    """What a server had before, kept in a file as long as it has something else."""

    address: Address
    file: Path

    @contextmanager
    def alone(self) -> Iterator[None]:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            try:
                held.enter_context(locked(self.file.with_suffix(".lock"), wait=False))
            except BlockingIOError:
                raise ConflictError(
                    f"another study sets variables of the server at {self.address}",
                    hint="wait until it has ended",
                ) from None
            yield

    def keep(self, values: dict[str, str]) -> None:
        write_whole(self.file, msgspec.json.encode(values))

    def put_back(self) -> None:
        """Puts back what is kept and no longer in force, and forgets it."""
        if not self.file.is_file():
            return
        kept = msgspec.json.decode(self.file.read_bytes(), type=dict[str, str])
        try:
            with closing(self.address.connect()) as connection:
                flavour, actual = server_identity(connection).flavour, global_variables(connection)
                # Of two of which one limits the other, the last first: so they were accepted before.
                for name, value in reversed(kept.items()):
                    if actual.get(name) != value:
                        set_running(flavour, connection, {name: value}, f"server at {self.address}")
        except AssayError as error:
            by_hand = "; ".join(f"SET GLOBAL {name} = {value!r}" for name, value in kept.items())
            raise ServerError(
                f"the server at {self.address} was not given back what it had: {error.message}",
                hint=f"the next study that sets variables there tries again; by hand: {by_hand}",
            ) from error
        self.file.unlink()
