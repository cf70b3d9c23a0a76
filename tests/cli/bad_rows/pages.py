"""`serve` and `site`."""

from __future__ import annotations

from bad_rows.row import Row, row

ROWS: list[Row] = [
    row("serve-missing", "serve none", 2, "none", "does not exist"),
    row("serve-file", "serve a.txt", 2, "a.txt", "is a file", files={"a.txt": ""}),
    row("serve-port", "serve {here} --port 65536", 2, "'--port'", "from 0 to 65,535"),
    row("serve-port-word", "serve {here} --port http", 2, "'--port'", "is not a whole number"),
    row(
        "serve-host",
        "serve {here} --host no.such.host.invalid",
        2,
        "--host no.such.host.invalid",
        "is not an address",
    ),
    row("serve-host-of-others", "serve {here} --host 192.0.2.1 --port 0", 7, "cannot listen on 192.0.2.1"),
    row("site-none", "site", 2, "build"),
    row("site-depth", "site build results public --depth all", 2, "--depth", "answers"),
    row("site-missing", "site build none public", 2, "none", "does not exist"),
    row("site-folder", "site build {here}", 2, "Missing argument", "DIR"),
    row(
        "site-full",
        "site build {here} full",
        7,
        "full",
        "give an empty folder",
        files={"full/a.txt": "somebody's"},
    ),
    row("site-file", "site build {here} a.txt", 2, "a.txt", "is a file", files={"a.txt": ""}),
]
