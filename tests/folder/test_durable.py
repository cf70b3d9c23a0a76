"""What is written whole is a file; what is no file takes the bytes and stays what it is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from assay.base.durable import write_whole


def test_a_device_takes_the_bytes_and_stays(tmp_path: Path) -> None:
    """A terminal stands for /dev/null, which root must not replace by a file. A link to it stays, too."""
    leader, follower = os.openpty()
    try:
        device = Path(os.ttyname(follower))
        link = tmp_path / "out"
        link.symlink_to(device)
        for path in (device, link):
            write_whole(path, b"whole\n")
            assert os.read(leader, 100) == b"whole\r\n"
        assert stat.S_ISCHR(device.stat().st_mode)
        assert link.is_symlink()
        assert list(tmp_path.iterdir()) == [link]
    finally:
        os.close(leader)
        os.close(follower)


def test_a_pipe_takes_the_bytes_and_one_that_nobody_reads_is_an_error(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="No such device or address"):
        write_whole(pipe, b"whole")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, b"whole")
        assert os.read(reader, 100) == b"whole"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_file_is_replaced_and_a_link_to_one_is_not_followed(tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "link"
    victim.write_bytes(b"kept")
    link.symlink_to(victim)
    write_whole(link, b"new")
    assert (victim.read_bytes(), link.read_bytes(), link.is_symlink()) == (b"kept", b"new", False)
