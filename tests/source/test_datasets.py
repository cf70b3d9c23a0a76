"""Datasets that are kept: which go for which, who is in the way, what a kill leaves, what a copy has."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from assay.base.errors import HostError, InputError
from assay.measurement.source.dataset import eviction as dataset_room
from assay.measurement.source.dataset.eviction import (
    BUDGET_VARIABLE,
    budget_bytes,
    make_room,
    over_budget,
    remove,
    sweep_unfinished,
)
from assay.measurement.source.dataset.key import dataset_key
from assay.measurement.source.dataset.manifest import (
    Dataset,
    dataset_lock,
    datasets,
    datasets_dir,
    find_dataset,
    find_named,
)
from assay.system.server import snapshot_copy
from make_datasets import make_dataset

PYTHON = Path(__file__).parents[2] / "python"
HOLD = """
import sys
from assay.measurement.source.dataset.manifest import find_named
with find_named(sys.argv[1]).held():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    monkeypatch.delenv(BUDGET_VARIABLE, raising=False)
    return tmp_path


@contextmanager
def held_elsewhere(name: str) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the dataset."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PYTHON)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ids(found: list[Dataset]) -> list[str]:
    return [dataset.manifest.id for dataset in found]


def test_they_are_listed_by_their_last_use() -> None:
    assert datasets() == []
    make_dataset("oltp-aa", used_days_ago=2)
    make_dataset("oltp-bb", used_days_ago=1)
    make_dataset("select-cc", used_days_ago=3)
    assert ids(datasets()) == ["oltp-bb", "oltp-aa", "select-cc"]
    find_named("select-cc").touch()
    assert ids(datasets()) == ["select-cc", "oltp-bb", "oltp-aa"]
    (datasets_dir() / "oltp-aa" / "manifest.json").write_text("{")
    assert ids(datasets()) == ["select-cc", "oltp-bb"]


def test_one_is_named_by_the_beginning_of_its_id() -> None:
    for name in ("oltp-ab12", "oltp-ab34", "select-cc56"):
        make_dataset(name)
    assert find_named("sel").manifest.id == "select-cc56"
    assert find_named("oltp-ab12").manifest.id == "oltp-ab12"
    with pytest.raises(InputError, match='"oltp" may be oltp-ab12 or oltp-ab34'):
        find_named("oltp")
    with pytest.raises(InputError, match='no dataset "select-cc65" is kept here; did you mean "select-cc56"'):
        find_named("select-cc65")
    with pytest.raises(InputError, match="no dataset"):
        find_named("")


def test_an_older_manifest_is_read() -> None:
    make_dataset("oltp-aa", old=True)
    (found,) = datasets()
    assert found.manifest.fingerprint is None
    found.check_copy(found.data_dir)


def test_a_key_finds_its_own() -> None:
    key = dataset_key("mariadb-10.11.19-0a1b2c3d", "oltp_insert", {}, {})
    assert find_dataset(key) is None
    make_dataset(key.id)
    assert find_dataset(key) == datasets()[0]


@pytest.mark.parametrize(
    ("text", "size"), [("", 50 << 30), ("50G", 50 << 30), ("300m", 300 << 20), ("0", 0), ("1000", 1000)]
)
def test_the_budget(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BUDGET_VARIABLE, text)
    assert budget_bytes() == size


@pytest.mark.parametrize(("text", "better"), [("50GB", '"50G"'), ("much", '"50G"'), ("-1", '"50G"')])
def test_a_budget_that_is_none(text: str, better: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BUDGET_VARIABLE, text)
    with pytest.raises(InputError, match=BUDGET_VARIABLE) as caught:
        budget_bytes()
    assert better in (caught.value.hint or "")


def test_the_least_recently_used_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    for number, name in enumerate(("oltp-new", "oltp-mid", "oltp-old", "oltp-oldest")):
        make_dataset(name, size=1000, used_days_ago=number)
    monkeypatch.setenv(BUDGET_VARIABLE, "4000")
    assert over_budget(0) == []
    assert ids(over_budget(1)) == ["oltp-oldest"]
    assert ids(over_budget(1500)) == ["oltp-oldest", "oltp-old"]
    assert ids(over_budget(1500, keep={"oltp-oldest"})) == ["oltp-old", "oltp-mid"]
    with find_named("oltp-old").held():
        assert ids(over_budget(10**9)) == ["oltp-oldest", "oltp-mid", "oltp-new"]
    notes: list[str] = []
    make_room(1500, notes.append)
    assert ids(datasets()) == ["oltp-new", "oltp-mid"]
    assert [note.split()[3] for note in notes] == ["oltp-oldest", "oltp-old"]
    assert all(BUDGET_VARIABLE in note for note in notes)
    make_room(10**9, notes.append)  # no study is refused for the budget
    assert datasets() == []


def test_one_in_use_stays() -> None:
    make_dataset("oltp-aa")
    (dataset,) = datasets()
    with held_elsewhere("oltp-aa") as holder, dataset.held():
        assert dataset.in_use()
        assert not remove(dataset)
        holder.kill()
        holder.wait()
        assert dataset.in_use()
    assert not dataset.in_use()
    with held_elsewhere("oltp-aa") as holder:
        assert not remove(dataset)
        holder.kill()  # a dead process holds nothing
        holder.wait()
        assert remove(dataset)
    assert not dataset.path.exists()
    assert remove(dataset)
    assert not dataset.in_use()


def test_one_that_is_looked_up_this_moment_stays() -> None:
    make_dataset("oltp-aa")
    with dataset_lock("oltp-aa"):
        assert not remove(datasets()[0])
    assert remove(datasets()[0])


def test_a_removal_that_is_killed_is_finished_by_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_dataset("oltp-aa")

    def killed(*_: object, **__: object) -> None:
        if not path.exists():
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(dataset_room.shutil, "rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            remove(datasets()[0])
    assert datasets() == []
    assert (datasets_dir() / ".oltp-aa.gone" / "data" / "ibdata1").exists()
    assert sweep_unfinished() == ["removed the rest of the dataset oltp-aa"]
    assert [file.name for file in datasets_dir().iterdir()] == [".oltp-aa.lock"]
    make_dataset("oltp-aa")
    assert remove(datasets()[0])


def test_the_sweep_leaves_alone_what_somebody_is_at() -> None:
    assert sweep_unfinished() == []
    part = datasets_dir() / ".oltp-aa.part"
    part.mkdir(parents=True)
    with dataset_lock("oltp-aa"):
        swept: list[list[str]] = []
        other = threading.Thread(target=lambda: swept.append(sweep_unfinished()))
        other.start()
        other.join()
        assert (swept, part.exists()) == ([[]], True)
    assert sweep_unfinished() == ["removed the unfinished dataset oltp-aa"]
    assert not part.exists()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: (data / "ibdata1").unlink(), "ibdata1 is missing"),
        (lambda data: (data / "assay" / "x.frm").touch(), "assay/x.frm is not of the load"),
        (lambda data: os.truncate(data / "assay" / "sbtest1.ibd", 5), "sbtest1.ibd has 5 bytes, not 4000"),
    ],
)
def test_a_copy_has_the_files_of_the_load(tmp_path: Path, damage: object, said: str) -> None:
    assert callable(damage)
    make_dataset("oltp-aa")
    (dataset,) = datasets()
    snapshot_copy(dataset.data_dir, tmp_path / "copy")
    dataset.check_copy(tmp_path / "copy")
    damage(tmp_path / "copy")
    with pytest.raises(HostError, match=f"the dataset oltp-aa is damaged: .*{said}") as caught:
        dataset.check_copy(tmp_path / "copy")
    assert "assay dataset rm oltp-aa" in (caught.value.hint or "")


def test_a_manifest_is_a_json_object_with_tables_by_name() -> None:
    path = make_dataset("oltp-aa")
    whole = msgspec.json.decode((path / "manifest.json").read_bytes())
    assert whole["fingerprint"]["tables"]["sbtest1"] == {
        "rows": 1000, "bytes": 4000, "engine": "InnoDB", "row_format": "Dynamic",
    }  # fmt: skip
    assert whole["fingerprint"]["files"] == {"assay/sbtest1.ibd": 4000, "ibdata1": 12000}
