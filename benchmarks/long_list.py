"""Asks `assay serve` for the first page over many results."""

from __future__ import annotations

import http.client
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from assay.base.durable import write_whole
from assay.design.folder import ResultsFolder
from assay.front.web.archive.catalogue import Catalogue
from assay.results.store import build_store, keep_summary, kept_summary, open_store
from assay.testing.results_folder import Truth, make_results

from benchmarks.child import ContestantFailed
from benchmarks.rows import Figures

RESULTS = 1000
_ASSAY = [sys.executable, "-m", "assay.front.cli"]
_ASKED = 20


def asked() -> Figures:
    """Returns how long the first page takes over many results: the first answer of a server, and the median
    of those after it.
    """
    with _served(Path(_many_results().name)) as where:
        times = [_asked_ms(where) for _ in range(_ASKED)]
    return {"first_ms": times[0], "ms": statistics.median(times[1:]), "worst_ms": max(times[1:])}


@cache
def _many_results() -> tempfile.TemporaryDirectory[str]:
    """Returns a folder with copies of small results, each begun at another time, and their catalogue. It is
    removed with the bench.
    """
    place_of_all = tempfile.TemporaryDirectory(prefix="assay-bench-")
    root = Path(place_of_all.name)
    truth = Truth(measure_s=2, warmup_s=1, samples=False)
    first = make_results(root / "0000", loads=(1, 8), blocks=2, truth=truth)
    Catalogue(root).rows(wait_s=None)
    summary = kept_summary(first)
    assert summary is not None
    for number in range(1, RESULTS):
        place = root / f"{number:04d}"
        shutil.copytree(first.path, place)  # a link would change the state of all files that it joins
        entry = json.loads((place / "study.json").read_text(encoding="utf-8"))
        entry["created_wall_ns"] += number * 3_600_000_000_000
        write_whole(place / "study.json", json.dumps(entry).encode())
        copy = ResultsFolder(place)
        build_store(copy)  # of the study alone: the runs are as they were
        with open_store(copy) as store:
            keep_summary(copy, store, summary)
    Catalogue(root).rows(wait_s=None)
    return place_of_all


@contextmanager
def _served(root: Path) -> Iterator[SplitResult]:
    command = [*_ASSAY, "serve", str(root), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line.startswith("pages: "):
                raise ContestantFailed(f"the pages did not start: {line}")
            yield urlsplit(line.removeprefix("pages: ").strip())
        finally:
            process.terminate()


def _asked_ms(where: SplitResult) -> float:
    began = time.perf_counter()
    connection = http.client.HTTPConnection(str(where.hostname), where.port or 80, timeout=60)
    connection.request("GET", "/en/")
    answer = connection.getresponse()
    page = answer.read()
    connection.close()
    if answer.status != 200 or f"{RESULTS} of {RESULTS}".encode() not in page:
        raise ContestantFailed(f"the list has not all results: {answer.status}")
    return (time.perf_counter() - began) * 1e3
