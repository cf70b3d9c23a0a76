"""The table of privileges: what processes have of it, and that no refusal is without its line."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from assay.base.privileges import PRIVILEGES, PrivilegeError, refused
from assay.design.folder import ErrorEvent
from assay.system.engine.process import job_error
from assay.system.host import Machine, lacks, rights, standings
from assay.system.host.privileges import may_raise_limits, obstacle_to_become

from scripts.privileges_page import PAGE, page

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "python" / "assay"
WHOLE, ONE, MANY = "0 0 4294967295", "0 1000 1", "0 1000 1\n1 100000 65536"
ALL, NONE, NO_SETUID, NO_ADMIN = "000001ffffffffff", "0" * 16, "000001ffffffff7f", "000001ffffdfffff"


def machine(root: Path, **files: str) -> Machine:
    """A recorded machine with these files of /proc/self."""
    folder = root / "proc" / "self"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return Machine(root)


@pytest.mark.parametrize(
    ("uids", "gids", "setgroups", "capabilities", "said", "raises"),
    [
        (WHOLE, WHOLE, "allow", ALL, None, True),
        (ONE, WHOLE, "allow", ALL, "has no user 113", False),
        (WHOLE, ONE, "allow", ALL, "has no group 118", True),
        (MANY, MANY, "allow", ALL, None, False),
        (WHOLE, WHOLE, "deny", ALL, "does not allow setgroups", True),
        (WHOLE, WHOLE, "allow", NO_SETUID, "lacks CAP_SETUID", True),
        (WHOLE, WHOLE, "allow", NONE, "lacks CAP_CHOWN, CAP_SETGID, CAP_SETUID", False),
    ],
)
def test_root_in_name_alone_is_known(
    tmp_path: Path, uids: str, gids: str, setgroups: str, capabilities: str, said: str | None, raises: bool
) -> None:
    at = machine(tmp_path, uid_map=uids, gid_map=gids, setgroups=setgroups, status=f"CapEff:\t{capabilities}")
    found = obstacle_to_become(113, 118, at)
    assert found is None if said is None else said in str(found)
    assert may_raise_limits(at) == raises


OF_ROOT = {"settings", "mounts", "controllers", "volumes", "networks"}
OF_MACHINE = {"ports", "files", "timer", "others", "mounts", "controllers", "volumes"}


@pytest.mark.parametrize(
    ("uid", "uids", "capabilities", "here", "missing"),
    [
        (0, WHOLE, ALL, {*OF_ROOT, *OF_MACHINE, "perf"}, set()),
        (
            0,
            WHOLE,
            NO_ADMIN,
            {"settings", "files", "timer"},
            {"mounts", "controllers", "volumes", "networks"},
        ),
        (0, WHOLE, NONE, {"settings"}, {"mounts", "volumes", "networks", "accounts", *OF_MACHINE}),
        (0, ONE, ALL, {"settings", "networks"}, {*OF_MACHINE, "perf", "accounts"}),
        (1000, WHOLE, NONE, {"accounts"}, {*OF_ROOT, *OF_MACHINE, "perf"}),
        (1000, WHOLE, ALL, {"files", "timer", "others", "ports", "perf"}, OF_ROOT),
    ],
)
def test_what_a_process_has(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    uid: int,
    uids: str,
    capabilities: str,
    here: set[str],
    missing: set[str],
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setattr("assay.system.host.privileges._has_real_time", lambda at, has: False)
    at = machine(tmp_path, uid_map=uids, gid_map=uids, status=f"CapEff:\t{capabilities}")
    found = {one.name: lacking for one, lacking in standings(at)}
    assert {name for name in here if found[name] is not None} == set()
    assert {name for name in missing if found[name] is None} == set()
    assert all(found[one.name] is None for one in PRIVILEGES.values() if one.level == "user")
    for lacking in filter(None, found.values()):
        assert f"`{lacking.privilege.name}` in assay doctor" in str(PrivilegeError("x", lacking))


@pytest.mark.parametrize(
    ("files", "has"),
    [({"perf_event_paranoid": "1"}, True), ({"perf_event_paranoid": "2"}, False), ({}, False)],
)
def test_perf_is_anybodys_where_the_kernel_says_so(tmp_path: Path, files: dict[str, str], has: bool) -> None:
    at = machine(tmp_path, uid_map=WHOLE, status=f"CapEff:\t{NONE}")
    (tmp_path / "proc" / "sys" / "kernel").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "proc" / "sys" / "kernel" / name).write_text(text)
    assert (lacks("perf", at) is None) == has


def test_a_filter_of_system_calls_is_shown(tmp_path: Path) -> None:
    at = machine(tmp_path, status="Seccomp:\t2\nNoNewPrivs:\t1\nCapEff:\t0000000000000000")
    assert "no capability; system calls are filtered (seccomp); no new privileges" in rights(at).words


STANDINGS = """
import json
from assay.system.host import rights, standings
print(json.dumps([rights().of_machine, {one.name: lacking and lacking.why for one, lacking in standings()}]))
"""


def test_a_container_without_privileges_is_told_apart() -> None:
    done = subprocess.run(
        ["unshare", "-Ur", sys.executable, "-c", STANDINGS],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT / "python")},
    )
    if "unshare:" in done.stderr:
        pytest.skip(f"no user namespace can be made here: {done.stderr.strip()}")
    of_machine, found = json.loads(done.stdout)
    assert not of_machine
    assert found["servers"] is found["web"] is None
    for name in ("accounts", "mounts", "volumes", "networks", "files"):
        assert "user namespace" in found[name], name


def test_the_page_has_the_table_of_today() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run python -m scripts.privileges_page"


_RIGHTS = re.compile(
    r"\b(?:only|needs?|be|requires?|assay as) root\b|\bCAP_[A-Z]+|\bnot allowed to this user"
)
_TABLE = {ROOM / "base" / "privileges.py", ROOM / "system" / "host" / "privileges.py"}
_NO_REFUSAL = {
    ROOM / "system" / "server" / "process" / "program.py",  # servers of others run as they do
    ROOM / "system" / "host" / "limits.py",  # a limit that root has not to heed
}


def _of_rights(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Lines that speak of root or capabilities in a text, or ask whether the process is root to refuse."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            if found := _RIGHTS.search(node.value):
                yield node.lineno, found[0]
        elif isinstance(node, ast.Compare) and ast.unparse(node) == "os.geteuid() != 0":
            yield node.lineno, "geteuid() != 0"


def _tree(path: Path) -> ast.Module:
    """The syntax of a file; of one that has none of the words, which is most of them, nothing."""
    text = path.read_text(encoding="utf-8")
    return ast.parse(text if _RIGHTS.search(text) or "geteuid() != 0" in text else "")


def test_no_refusal_is_without_its_line() -> None:
    """So that a refusal for want of a privilege cannot be written without a line of the table."""
    assert list(_of_rights(ast.parse("if os.geteuid() != 0: x = f'that needs root, {y}'")))
    found = [
        f"{path.relative_to(ROOM)}:{line}: {said}"
        for path in sorted(ROOM.rglob("*.py"))
        if path not in _TABLE
        for line, said in _of_rights(_tree(path))
        if not (path in _NO_REFUSAL and said == "geteuid() != 0")
    ]
    assert found == [], "a line of base/privileges.py says this, and lacks() or refused() makes the refusal"


_ONLY_SHOWN = {"accounts", "timer", "others"}
"""Lines without a refusal: measuring goes on, with less."""


def test_every_line_has_its_refusal() -> None:
    """Names that refusals give, and the lines of the table, are the same."""
    named = {
        name
        for path in ROOM.rglob("*.py")
        for name in re.findall(r"\b(?:lacks|refused)\(\s*\"([^\"]+)\"", path.read_text(encoding="utf-8"))
    } | {"io_uring", "devices"}  # which the engine refuses: see job_error
    assert named == {one.name for one in PRIVILEGES.values() if one.level != "user"} - _ONLY_SHOWN


def test_what_the_engine_refuses_names_its_line() -> None:
    for message, line in (
        ("/dev/sdb: Permission denied", "devices"),
        ("io_uring: not permitted", "io_uring"),
    ):
        error = job_error(6, ErrorEvent(at_ns=0, fatal=True, kind="host", message=message), "")
        assert isinstance(error, PrivilegeError)
        assert f"but {message} (`{line}` in assay doctor)" in error.message


def test_what_the_kernel_refuses_names_its_line() -> None:
    error = PrivilegeError("port 80", refused("ports", "this process may not take it"))
    assert error.exit_code == 6
    assert error.message.startswith("port 80 needs CAP_NET_BIND_SERVICE, or ")
    assert error.message.endswith("but this process may not take it (`ports` in assay doctor)")
    assert error.hint == "choose a port from 1024 up"
