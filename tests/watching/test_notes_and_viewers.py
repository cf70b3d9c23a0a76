"""What lies beside the results while people look at them: notes, and who looks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from assay.base.errors import ConflictError, InputError
from assay.design.folder import ResultsFolder
from assay.design.folder.viewers import LIMIT, Viewer, announced, viewers_of
from assay.measurement.run.sampling import watching
from assay.reporting.live import add_note, read_notes
from assay.system.host import Machine, viewers
from assay.system.server.process import ProcessId


def test_notes_are_changed_by_further_lines(empty: ResultsFolder) -> None:
    first = add_note(empty, "the disk was full", author="ada", run="b01-01-x", from_wall_ns=5)
    second = add_note(empty, "all well", author="bob")
    changed = add_note(empty, "the disk was not full", author="ada", replaces=first.id)
    assert [note.text for note in read_notes(empty)] == ["the disk was not full", "all well"]
    add_note(empty, "it was the other disk", author="ada", replaces=changed.id)
    add_note(empty, "", author="bob", replaces=second.id)
    assert [note.text for note in read_notes(empty)] == ["it was the other disk"]
    assert empty.notes.read_bytes().count(b"\n") == 5


def test_a_torn_note_spoils_no_other(empty: ResultsFolder) -> None:
    add_note(empty, "one", author="")
    with empty.notes.open("ab") as out:
        out.write(b'{"id": "x", "te')
    add_note(empty, "two", author="")
    assert [note.text for note in read_notes(empty)] == ["one", "two"]


def test_what_is_no_note(empty: ResultsFolder) -> None:
    note = add_note(empty, "one", author="")
    for text in ("", "  \n", "x" * 2001):
        with pytest.raises(InputError):
            add_note(empty, text, author="")
    add_note(empty, "", author="", replaces=note.id)
    with pytest.raises(ConflictError):  # it is gone
        add_note(empty, "two", author="", replaces=note.id)


def test_a_viewer_is_sampled_while_it_is_announced(empty: ResultsFolder) -> None:
    me = ProcessId.of(os.getpid())
    assert me is not None
    source = viewers(empty)
    assert source.read() == {"viewers": 0.0, "cpu_us_total": 0.0}
    with announced(empty, Viewer(me.pid, me.start_ticks)):
        assert viewers_of(empty) == [Viewer(me.pid, me.start_ticks)]
        first = source.read()
        assert first == {"viewers": 1.0, "cpu_us_total": 0.0}
        while source.read()["cpu_us_total"] == 0:  # until the kernel's next tick
            sum(range(200_000))
        used = source.read()["cpu_us_total"]
    after = source.read()
    assert after["viewers"] == 0
    assert after["cpu_us_total"] >= used > 0  # what it did stays counted
    assert source.highest_share() > 0


def test_a_number_that_another_process_has_now_is_no_viewer(empty: ResultsFolder) -> None:
    with announced(empty, Viewer(os.getpid(), 1)):
        assert viewers(empty).read()["viewers"] == 0
    (empty.viewers / "nonsense").touch()
    assert viewers_of(empty) == []


def test_costly_watching_is_doubted(tmp_path: Path, empty: ResultsFolder) -> None:
    """Ten ticks of 10 ms between two readings."""
    proc = tmp_path / "machine" / "proc" / "7"
    proc.mkdir(parents=True)
    source = viewers(empty, Machine(tmp_path / "machine"))
    source.begin_stretch()
    with announced(empty, Viewer(7, 99)):
        for ticks in (100, 110):
            fields = ["S", *["0"] * 10, str(ticks), "0", *["0"] * 6, "99"]
            (proc / "stat").write_text(f"7 (assay serve) {' '.join(fields)}\n")
            source.read()
    assert watching(source.highest_share()) is not None
    doubt = watching(3 * LIMIT)
    assert doubt is not None
    assert (doubt.kind, doubt.limit) == ("watched", LIMIT)
    assert "6.0%" in doubt.message
    assert watching(LIMIT) is None
