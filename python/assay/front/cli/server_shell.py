"""Carries out `assay server shell`: starts this machine's client, or a prompt of its own without one."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys

from assay.base.errors import InputError, ServerError
from assay.base.wording import counted
from assay.front.terminal import say
from assay.system.server import DATABASE, Connection
from assay.system.server.process import Started


def shell(entry: Started, statement: str | None) -> None:
    """Runs one statement, or a prompt until end of file. With a client on this machine, the client replaces
    this process.
    """
    if entry.state != "ready":
        raise InputError(f"{entry.name} is still starting", hint="try again in a moment")
    client = next((path for name in ("mariadb", "mysql") if (path := shutil.which(name))), None)
    if client:
        words = [client, "--no-defaults", f"--socket={entry.socket}", "--user=root", DATABASE]
        sys.stdout.flush()
        os.execv(client, [*words, *(["-e", statement] if statement else [])])
    with contextlib.closing(entry.address.connect()) as connection:
        connection.select_db(DATABASE)
        if statement:
            execute(connection, statement)
        else:
            prompt(connection, entry.name)


def prompt(connection: Connection, name: str) -> None:
    """Reads statements that end with `;`, until `quit` or end of file."""
    text = ""
    while True:
        try:
            line = input(f"{name}> " if not text else "   -> ")
        except EOFError:
            return
        if not text and line.strip().rstrip(";").lower() in ("quit", "exit"):
            return
        text = f"{text}\n{line}" if text else line
        if text.rstrip().endswith(";"):
            execute(connection, text.rstrip().rstrip(";"))
            text = ""


def execute(connection: Connection, statement: str) -> None:
    """Prints the rows of a statement with tabs between the columns, as clients write into a pipe, or the
    server's error.
    """
    try:
        with connection.cursor() as cursor:
            count = cursor.execute(statement)
            if cursor.description is None:
                say(f"{counted(count, 'row')} affected")
                return
            say("\t".join(column[0] for column in cursor.description))
            for row in cursor:
                say("\t".join("NULL" if value is None else str(value) for value in row))
    except ServerError as error:
        say(f"ERROR: {error.message}", err=True)
