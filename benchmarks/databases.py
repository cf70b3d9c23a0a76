"""The databases of one workload on the real server, one for each contestant, each filled on first use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.load import Endpoint
from benchmarks.servers import Servers


@dataclass
class Databases:
    """Databases of the same `size`, in the workload's unit.

    `settings` returns the statements that make the server ready for one, from a connection's answer to
    `question`.
    """

    servers: Servers
    size: int
    prefix: str
    charset: str
    question: str
    settings: Callable[..., list[str]]
    made: set[str] = field(default_factory=set)

    def at(self, name: str) -> Endpoint:
        """Returns the address of a database."""
        return replace(self.servers.real(), database=f"{self.prefix}_{name}")

    def filled(self, name: str, fill: Callable[[Endpoint], object]) -> Endpoint:
        """Returns the address of a database that is filled."""
        if name not in self.made:
            fill(self.fresh(name))
            self.made.add(name)
        return self.at(name)

    def fresh(self, name: str) -> Endpoint:
        """Returns the address of an empty database."""
        endpoint = self.at(name)
        self.execute(*self.settings(*self.row(self.question)))
        self.execute(f"DROP DATABASE IF EXISTS {endpoint.database}")
        self.execute(f"CREATE DATABASE {endpoint.database}{self.charset}")
        return endpoint

    @contextmanager
    def passing(self) -> Iterator[Endpoint]:
        """Yields the address of an empty database, which is dropped to free its space."""
        try:
            yield self.fresh("load")
        finally:
            self.execute(f"DROP DATABASE IF EXISTS {self.at('load').database}")

    def execute(self, *statements: str, database: str | None = None) -> None:
        """Sends statements to the server."""
        with closing(self.servers.admin()) as admin, admin.cursor() as cursor:
            for statement in (*(() if database is None else (f"USE {database}",)), *statements):
                cursor.execute(statement)

    def row(self, question: str) -> tuple[Any, ...]:
        """Returns the only row of an answer."""
        with closing(self.servers.admin()) as admin, admin.cursor() as cursor:
            cursor.execute(question)
            (found,) = cursor.fetchall()
        return tuple(found)
