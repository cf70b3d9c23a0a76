"""Prints the output of `assay server get` and `rm`."""

from __future__ import annotations

from assay.base.errors import InputError
from assay.front.terminal import StepLines, console, say, say_json
from assay.system.server import Build, get_release
from assay.system.server.release import find_unpacked, parse_use, remove


def get_and_show(use: str, *, as_json: bool = False, err: bool = False) -> None:
    """Fetches a server as `get_shown` does, and prints its name and binary, or with `err` to standard error.

    With `as_json` it prints an object: what a study names the server, its version and its binary.
    """
    build = get_shown(use)
    if as_json:
        say_json(
            {
                "use": f"{build.flavour_name}@{build.version_number}",
                "version": build.version_number,
                "binary": str(build.mysqld),
            }
        )
        return
    say(f"{build.flavour_name}@{build.version_number}  {build.mysqld}", err=err)
    say(f"start it  assay server start {build.flavour_name}@{build.version_number}", err=err)


def get_shown(use: str) -> Build:
    """Fetches a server and prints each step on standard error: with a spinner on a terminal, with lines about
    how far it is in a log.
    """
    out = console(stderr=True)
    lines = StepLines(out, first_s=10.0)
    with out.status("looking …") as status:

        def step(text: str) -> None:
            if out.is_terminal:
                status.update(f"{text} …")
            else:
                out.print(f"{text} …")
                lines.step(text)

        def progress(text: str) -> None:
            status.update(f"{text} …")  # shows on a terminal only
            lines.far(text)

        try:
            return get_release(use, step, progress)
        finally:
            lines.end()


def remove_and_say(use: str, *, as_json: bool = False) -> None:
    """Removes an unpacked server and prints it. Raises InputError when there is none."""
    flavour, wanted = parse_use(use)
    here = find_unpacked(flavour.name, wanted)
    if here is None:
        raise InputError(
            f"{use} is not unpacked on this machine", hint="list the unpacked servers: assay server list"
        )
    remove(here[0])
    if as_json:
        say_json({"removed": [here[0].name]})
    else:
        say(f"removed {here[0].name}")
