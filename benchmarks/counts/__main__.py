"""Runs sysbench's scripts with Assay and with sysbench on servers of its own, and prints a table of whether
the server has counted the same statements: `python -m benchmarks.counts --seconds 30 --server mariadb`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from assay.system.server import Instance, find_build, initialise, sweep_dead
from assay.system.server.process.private import PrivateDir

from benchmarks.counts.cases import Case, debian_cases, read_cases
from benchmarks.counts.comparison import Compared, compare
from benchmarks.counts.trial import Trial, try_case
from benchmarks.ending import exit_as
from benchmarks.servers import VARIABLES

_HEAD = "| server | script | threads | events: assay, sysbench | statements of an event | outcome |"


def main() -> int:
    options = _arguments()
    cases = debian_cases() if options.cases is None else read_cases(options.cases)
    chosen = [case for case in cases if not options.only or any(one in case.title for one in options.only)]
    bad = 0
    _say(_HEAD, "|---" * _HEAD.count(" | ") + "|---|")
    for name in options.server:
        with _server(name) as server:
            for case in chosen:
                bad += sum(not _row(server, case, threads, options) for threads in options.threads)
    _say(f"\n{bad} of {len(options.server) * len(chosen) * len(options.threads)} lines differ.")
    return min(bad, 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.counts", description=__doc__)
    parser.add_argument(
        "--server", nargs="+", default=["mariadb"], metavar="SERVER", help="mariadb, mysql@8.0, path:… "
    )
    parser.add_argument(
        "--ours", choices=["assay", "engine"], default="assay", help="assay sysbench, or assay-engine bench"
    )
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 16, 256], metavar="N")
    parser.add_argument("--seconds", type=float, default=30.0, help="length of a run by Assay (30)")
    parser.add_argument("--peer-seconds", type=float, help="length of a run by sysbench; the same")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help="scripts whose name holds this")
    parser.add_argument("--cases", type=Path, metavar="FILE", help="a TOML file with scripts of one's own")
    return parser.parse_args()


def _row(server: Instance, case: Case, threads: int, options: argparse.Namespace) -> bool:
    """Prints the line of a case, and returns whether both tools did the same."""
    theirs_s = options.seconds if options.peer_seconds is None else options.peer_seconds
    ours = try_case(options.ours, case, server, threads, options.seconds)
    if case.grows and ours.whole is not None and ours.whole.ended.events:
        case = msgspec.structs.replace(case, events=ours.whole.ended.events)
    theirs = try_case("sysbench", case, server, threads, theirs_s)
    compared = compare(ours, theirs, threads, loose=case.loose)
    failed = {**_failures(options.ours, ours), **_failures("sysbench", theirs)}
    outcome = "equal" if compared.is_equal else f"DIFFERENT: {'; '.join(compared.differences)}"
    if failed:
        outcome = "; ".join(f"{tool} {what}" for tool, what in failed.items())
        if len(failed) == 2:
            outcome = f"both fail: {outcome}"
    _say(
        f"| {server.build.flavour.title} {server.build.version_number} | {case.title} | {threads}"
        f" | {_events(ours)}, {_events(theirs)} | {_rates(compared)} | {outcome.replace('|', '/')} |"
    )
    return not failed and compared.is_equal


def _failures(tool: str, trial: Trial) -> dict[str, str]:
    return {tool: "; ".join(dict.fromkeys(trial.failures))} if trial.failures else {}


def _events(trial: Trial) -> str:
    return "-" if trial.whole is None else str(trial.whole.ended.events)


def _rates(compared: Compared) -> str:
    """Returns the statements of an event as Assay sends them, by kind."""
    named = ((kind.removeprefix("Com_"), rate) for kind, rate in compared.ours.items())
    return ", ".join(f"{kind} {rate:.4g}" for kind, rate in named)


@contextmanager
def _server(name: str) -> Iterator[Instance]:
    sweep_dead()
    build = find_build(name)
    with PrivateDir() as private, tempfile.TemporaryDirectory(prefix="assay-counts-") as folder:
        data = private.path / "data"
        initialise(build, data)
        files = (Path(folder) / "server.log", Path(folder) / "my.cnf")
        with Instance(build, data, VARIABLES, *files) as server:
            yield server


def _say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    exit_as(main)
