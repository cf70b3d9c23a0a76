"""Other references against what they describe: exit codes, events, doubts, paths on the map."""

from __future__ import annotations

import json
import re
import tomllib

import msgspec
from assay.base import errors
from assay.design.folder import Manifest
from pages import ROOT, rows, section

ARCHITECTURE = ROOT / "docs/architecture.md"


def test_every_kind_of_error_has_its_exit_code() -> None:
    page = (ROOT / "docs/reference/exit-codes.md").read_text()
    kinds = errors.AssayError.__subclasses__()
    assert kinds
    for kind in kinds:
        assert f"| {kind.exit_code} | `{kind.__name__}` |" in page
    assert errors.Interrupted.exit_code == 130  # 128 + SIGINT, as shells have it


def test_every_event_is_in_the_reference_of_the_engine() -> None:
    page = ROOT / "docs/reference/engine.md"
    events = json.loads((ROOT / "schema/event.json").read_text())["oneOf"]
    names = {event["properties"]["event"]["const"] for event in events}
    assert set(rows(section(page, "Events"))) == names


def test_every_part_of_a_job_is_in_the_reference_of_the_engine() -> None:
    page = ROOT / "docs/reference/engine.md"
    kinds = json.loads((ROOT / "schema/job.json").read_text())["$defs"]
    jobs = ("Job", "DiskJob", "MachineJob")
    parts = {name for job in jobs for name in kinds[job]["properties"]} - {"version"}
    assert set(rows(section(page, "Job"))) == parts


def test_every_doubt_of_the_engine_is_in_its_reference() -> None:
    source = "".join(file.read_text() for file in (ROOT / "crates/engine/src").rglob("*.rs"))
    said = section(ROOT / "docs/reference/engine.md", "Doubts")
    kinds = re.findall(r'doubt\(\s*"([a-z-]+)"', source)
    assert kinds
    for kind in kinds:
        assert f"`{kind}`" in said, f"docs/reference/engine.md lacks {kind}"


def test_every_key_of_the_manifest_is_in_the_reference() -> None:
    shown = rows(section(ROOT / "docs/reference/run-folder.md", "run.json"))
    assert set(shown) == {field.name for field in msgspec.structs.fields(Manifest)}


def test_the_drawing_of_the_wings_is_what_import_linter_holds() -> None:
    drawn = re.search(r"^```\ntesting\n.*?^```", ARCHITECTURE.read_text(), re.DOTALL | re.MULTILINE)
    assert drawn
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = {one["containers"][0]: one["layers"] for one in contracts if one["type"] == "layers"}
    inside = {
        wing: " → ".join(layers.get(f"assay.{wing}", [])).replace(" | ", " · ") for wing in layers["assay"]
    }
    inside["base"] = ""  # its modules are many and small
    assert drawn[0].splitlines()[1:-1] == [f"{wing:<12} {rooms}".rstrip() for wing, rooms in inside.items()]


def test_paths_on_the_map_exist() -> None:
    text = ARCHITECTURE.read_text()
    for path in re.findall(
        r"`((?:crates|python|tests|docs|studies|schema|scripts|benchmarks)/[\w./-]*)`", text
    ):
        assert (ROOT / path).exists(), path


def test_every_room_is_on_the_map() -> None:
    text = section(ARCHITECTURE, "Rooms")
    for face in (ROOT / "python/assay").glob("*/*/__init__.py"):
        room = face.parent.parent if face.parts[-3] == "testing" else face.parent
        assert f"| `{room.name}` |" in text
    for crate in (ROOT / "crates").iterdir():
        assert f"| `{crate.name}` |" in text


def test_no_more_wings_than_a_reader_keeps_in_mind() -> None:
    wings = [one for one in (ROOT / "python/assay").iterdir() if (one / "__init__.py").is_file()]
    modules = list((ROOT / "python/assay").glob("*.py"))
    assert len(wings) <= 9
    assert len(modules) <= 10


def test_a_row_of_the_map_is_read_at_a_glance() -> None:
    for line in section(ARCHITECTURE, "Rooms").splitlines():
        for cell in line.strip("|").split("|") if line.startswith("| `") else ():
            assert len(cell.split()) <= 70, cell


def test_files_named_beside_a_room_are_in_it() -> None:
    for line in section(ARCHITECTURE, "Rooms").splitlines():
        found = re.match(r"\| `(\w+)` \|[^|]*\|(.*)\|$", line)
        if found is None:
            continue
        rooms = [
            room
            for room in (ROOT / f"crates/{found[1]}/src", *(ROOT / "python/assay").glob(f"*/{found[1]}"))
            if room.is_dir()
        ]
        for name in re.findall(r"`([\w/]+(?:\.(?:rs|py)|/))`", found[2]) if rooms else ():
            assert any((room / name).exists() for room in rooms), f"{found[1]}: {name}"
