"""Rooms that handle results of strangers open them as inner paths, and in no other way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import assay
import pytest

ROOT = Path(assay.__file__).parent
ROOMS = (
    "adopt",
    "advice",
    "api",
    "audit",
    "comparison",
    "folder",
    "gate",
    "history",
    "lab",
    "live",
    "report",
    "store",
    "verdict",
    "web",
)
OPENS = {
    "open", "read_bytes", "read_text", "write_bytes", "write_text", "unlink", "rename", "replace", "touch",
    "mkdir", "iterdir", "glob", "rglob", "symlink_to", "hardlink_to", "rmdir",
}  # fmt: skip
MODULES = {
    "os": {"open", "listdir", "scandir", "unlink", "remove", "rename", "replace", "mkdir", "makedirs"},
    "shutil": None,
}

FILES_OF_PEOPLE = {
    "gate/alarms.py": "the file that --alarms names",
    "gate/github.py": "the file that GitHub names",
    "gate/missing.py": "the server's own file",
    "gate/baseline/record.py": "the baseline that a person names",
    "gate/baseline/saving.py": "the baseline that a person names",
    "history/states.py": "the file of explanations that a person names",
    "history/steps.py": "a search of its own",
    "history/confirming.py": "a study that it writes beside a search",
    "lab/bundling.py": "the archive that a person names, and a folder that it makes",
    "lab/checkup.py": "this machine",
    "lab/kept_server.py": "a server that a person keeps",
    "lab/several.py": "the folder of an index",
    "report/index.py": "the folder of an index",
    "store/place.py": "this account's own stores",
}
"""Modules that also open what is no part of a results folder, and what it is."""

HANDLES = {
    ("audit/reading/decoding.py", "open"): "a regular file that a person names, of bounded size",
    (
        "lab/progress.py",
        "iterdir",
    ): "the names of folders below a place, of which each is opened as a results folder",
    ("store/parts.py", "scandir"): "names, times and lengths, which are not followed",
    ("web/archive/catalogue.py", "scandir"): "names, times and lengths, which are not followed",
    ("audit/reading/__init__.py", "iterdir"): "the names of the tables in a folder that a person names",
    ("store/parts.py", "open"): "beneath an open folder, without following links",
    ("store/place.py", "open"): "the results folder itself",
    ("adopt/importing.py", "iterdir"): "the names in the results folder",
    ("adopt/importing.py", "rename"): "a run that it has written itself",
    ("adopt/importing.py", "mkdir"): "the results folder, and a run that it writes itself",
    ("adopt/importing.py", "rmtree"): "a run that it has written itself",
    ("adopt/importing.py", "write_bytes"): "a run that it has written itself",
}
"""Further places that a person has looked at."""


def openings(module: Path) -> Iterator[tuple[str, int]]:
    """Yields what a module does with plain paths, and in which line."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for function in [
        tree,
        *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)),
    ]:
        arguments = (
            [] if isinstance(function, ast.Module) else [*function.args.args, *function.args.kwonlyargs]
        )
        plain = {
            one.arg
            for one in arguments
            if one.annotation
            and "Path" in ast.unparse(one.annotation).replace("InnerPath", "").replace("AnyPath", "")
        }
        for node in ast.walk(function):
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and ast.unparse(node.value.func) == "Path"
            ):
                plain |= {one.id for one in node.targets if isinstance(one, ast.Name)}
        for node in ast.walk(function):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Name) and node.func.id in ("open", "write_whole"):
                yield node.func.id, node.lineno
            if not isinstance(node.func, ast.Attribute):
                continue
            of, name = node.func.value, node.func.attr
            if isinstance(of, ast.Name) and of.id in MODULES and name not in ("disk_usage", "which"):
                if MODULES[of.id] is None or name in (MODULES[of.id] or ()):
                    yield name, node.lineno
            elif name in OPENS and (name != "replace" or len(node.args) == 1):
                inside = {one.id for one in ast.walk(of) if isinstance(one, ast.Name)}
                is_raw = any(isinstance(one, ast.Attribute) and one.attr == "path" for one in ast.walk(of))
                if is_raw or (inside & plain and not isinstance(of, ast.Call)):
                    yield name, node.lineno


@pytest.mark.parametrize("room", ROOMS)
def test_files_of_results_are_opened_as_inner_paths(room: str) -> None:
    found = []
    for module in sorted((ROOT / room).rglob("*.py")):
        name = module.relative_to(ROOT).as_posix()
        if name not in FILES_OF_PEOPLE:
            found += [
                f"python/assay/{name}:{number}: {what}"
                for what, number in sorted(set(openings(module)))
                if (name, what) not in HANDLES
            ]
    assert not found, "\n".join(found)


def test_a_plain_path_would_be_seen(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    lines = ["import os", "def f(run: RunFolder, file: Path) -> None:", "(run.path / 'x').read_bytes()"]
    lines += ["file.open()", "os.scandir(run.path)", "open(file)", "write_whole(file, b'')"]
    lines += ["run.manifest.read_bytes()"]
    module.write_text("\n".join(lines[:2] + [f"    {line}" for line in lines[2:]]))
    assert {number for _, number in openings(module)} == {3, 4, 5, 6, 7}
