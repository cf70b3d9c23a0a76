from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.child import ContestantFailed
from benchmarks.fetched import Fetched
from benchmarks.sections import tpcc
from benchmarks.servers import Servers
from benchmarks.settings import QUICK

PEER = Fetched("shop", "ASSAY_PEER_SHOP", ("shop_start", "*.sql"), "Clone it")


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (PEER.variable, "ASSAY_PEER_TPCC_MYSQL", "ASSAY_PEER_SYSBENCH_TPCC"):
        monkeypatch.delenv(variable, raising=False)


def made(folder: Path, *names: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).touch(mode=0o755)
    return folder


def test_a_variable_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = made(tmp_path / "shop", "shop_start", "tables.sql")
    monkeypatch.setenv(PEER.variable, str(place))
    assert PEER.missing() is None
    assert PEER.folder() == place


def test_a_folder_that_lacks_a_file_is_named_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PEER.variable, str(made(tmp_path / "shop", "shop_start")))
    assert PEER.missing() == f"ASSAY_PEER_SHOP={tmp_path / 'shop'} has no *.sql. Clone it"
    with pytest.raises(ContestantFailed, match="has no"):
        PEER.folder()


def test_what_is_on_the_path_is_found_beside_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = made(tmp_path / "shop", "shop_start", "tables.sql")
    monkeypatch.setenv("PATH", str(place))
    assert PEER.folder() == place
    (place / "tables.sql").unlink()
    assert PEER.missing() == "shop was not found. Clone it; then set ASSAY_PEER_SHOP to its folder."


def test_cells_without_their_peer_are_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers = Servers("mariadb", tables=1, table_size=10)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert tpcc.cells(QUICK, servers) == []
    assert len(tpcc.missing()) == 3
    lua = made(tmp_path / "lua", "tpcc.lua", "tpcc_run.lua")
    monkeypatch.setenv("ASSAY_PEER_SYSBENCH_TPCC", str(lua))
    assert [cell.name for cell in tpcc.cells(QUICK, servers)] == [tpcc._SPEC]
    assert all("ASSAY_PEER_TPCC_MYSQL" in sentence for sentence in tpcc.missing())
    assert len(tpcc.missing()) == 2
