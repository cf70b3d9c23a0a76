"""Archives of strangers: nothing is unpacked before the list says what comes, and damage is one sentence."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tarfile
from pathlib import Path

import pytest
from assay.base.errors import AssayError, InputError
from assay.experiments.lab import bundling, open_bundle, write_bundle
from assay.system.host.free_space import Space
from assay.testing.results_folder import Truth, make_results


def archive(
    place: Path, files: dict[str, bytes], *, listed: bool = True, change: dict[str, object] | None = None
) -> Path:
    """Writes an archive like those of `assay bundle`, with a list that is changed."""
    file = place / "a.assay.tar.gz"
    sums = {name: (len(one), hashlib.sha256(one).hexdigest()) for name, one in files.items()}
    contents = {
        "format": 1, "assay": "0", "study": "s", "runs": 0, "runs_planned": 0, "created_wall_ns": 1,
        "files": {name: {"bytes": size, "sha256": found} for name, (size, found) in sums.items()},
    } | (change or {})  # fmt: skip
    with tarfile.open(file, "w:gz") as out:
        for name, content in (
            files | ({"bundle.json": json.dumps(contents).encode()} if listed else {})
        ).items():
            member = tarfile.TarInfo(f"s/{name}")
            member.size = len(content)
            out.addfile(member, io.BytesIO(content))
    return file


def test_an_honest_archive_is_opened(tmp_path: Path) -> None:
    assert open_bundle(archive(tmp_path, {"study.toml": b"x"}), tmp_path / "to").files == 1
    assert (tmp_path / "to/study.toml").read_bytes() == b"x"


@pytest.mark.parametrize("at", [0.05, 0.3, 0.6, 0.95])
@pytest.mark.parametrize("what", ["flip", "cut", "zeros"])
def test_damage_is_one_sentence_wherever_it_is(tmp_path: Path, what: str, at: float) -> None:
    file = archive(tmp_path, {"study.toml": bytes(range(256)) * 40, "runs/a/run.json": b"{}" * 500})
    content = bytearray(file.read_bytes())
    place = int(len(content) * at)
    if what == "flip":
        content[place] ^= 0x55
    else:
        content[place:] = b"" if what == "cut" else bytes(len(content) - place)
    file.write_bytes(content)
    with pytest.raises(InputError) as refused:
        open_bundle(file, tmp_path / "to")
    assert "\n" not in refused.value.message
    assert not (tmp_path / "to").exists()
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


def test_an_archive_without_a_list_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundling, "_unpack", lambda *_: pytest.fail("something was unpacked"))
    file = archive(tmp_path, {"study.toml": b"", "zeros": bytes(8 << 20)}, listed=False)
    assert file.stat().st_size < 100_000
    with pytest.raises(InputError, match=r"it has no bundle\.json"):
        open_bundle(file, tmp_path / "to")


def test_an_archive_larger_than_the_disk_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundling, "_unpack", lambda *_: pytest.fail("something was unpacked"))
    monkeypatch.setattr(bundling, "space", lambda _: Space(total_bytes=9 << 20, free_bytes=1 << 20))
    file = archive(tmp_path, {"study.toml": b"", "zeros": bytes(2 << 20)})
    with pytest.raises(AssayError, match="the disk has 1 MiB free"):
        open_bundle(file, tmp_path / "to")


@pytest.mark.parametrize(
    "change",
    [{"files": []}, {"files": {}}, {"runs": 10**400}, {"study": "../x"}, {"study": ""}, {"study": ".."}],
    ids=lambda change: repr(change)[:24],
)
def test_an_odd_list_is_refused(
    tmp_path: Path, change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"is damaged: "):
        open_bundle(archive(tmp_path, {"study.toml": b"x"}, change=change))


def test_a_header_is_not_read_without_bound(tmp_path: Path) -> None:
    file = tmp_path / "a.assay.tar.gz"
    header = tarfile.TarInfo("s/long")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 64 << 20
    with gzip.open(file, "wb") as out:
        out.write(header.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 20))
    with pytest.raises(InputError, match="a header of 64 MiB"):
        open_bundle(file, tmp_path / "to")


def test_a_pipe_is_no_archive(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a regular file"):
        open_bundle(tmp_path / "pipe", tmp_path / "to")


@pytest.mark.parametrize("name", ["study.toml", "runs/b01-01-default/server.log", "notes.txt"])
def test_a_file_of_holes_is_not_read_to_its_end(tmp_path: Path, name: str) -> None:
    truth = Truth(measure_s=2, warmup_s=1)
    made = make_results(tmp_path / "made", blocks=1, loads=(1,), truth=truth, treatments={"default": {}})
    (made.path / name).touch()
    os.truncate(made.path / name, 1 << 42)
    with pytest.raises(InputError, match=r"has 4\.\d+ TiB, nearly all of which was never written"):
        write_bundle(made.path, tmp_path / "x.tar.gz")
    assert not (tmp_path / "x.tar.gz").exists()
