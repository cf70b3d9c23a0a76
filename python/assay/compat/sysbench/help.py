"""sysbench's lists of options, in its form and our own words: `sysbench --help`, `sysbench TEST help`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

TESTS = {
    "fileio": "reads and writes of files",
    "cpu": "arithmetic of processors",
    "memory": "reads and writes of memory",
    "threads": "the scheduler",
    "mutex": "mutexes",
}
"""The tests that are no scripts, in sysbench's order."""


class Listed(NamedTuple):
    """One option as sysbench lists it; no default is None, an empty one is shown as `[]`."""

    name: str
    kind: str
    text: str
    default: str | None = None


_N, _SIZE, _TEXT, _SWITCH, _LIST, _FILE = "=N", "=SIZE", "=STRING", "[=on|off]", "=[LIST,...]", "=FILENAME"

_GENERAL = (
    Listed("threads", _N, "threads that run events at the same time", "1"),
    Listed("events", _N, "events after which the run ends; 0: no limit", "0"),
    Listed("time", _N, "seconds after which the run ends; 0: no limit", "10"),
    Listed(
        "forced-shutdown",
        _TEXT,
        "seconds that a run may last beyond --time before it is cut off; off: it may last",
        "off",
    ),
    Listed("thread-stack-size", _SIZE, "bytes of a thread's stack", "64K"),
    Listed("rate", _N, "events that begin per second, by chance in time; 0: as fast as they end", "0"),
    Listed(
        "report-interval",
        _N,
        "seconds between lines about the run; 0: none",
        "0",
    ),
    Listed(
        "report-checkpoints",
        _LIST,
        "seconds after the start at which all statistics are printed and begin anew, with commas",
        "",
    ),
    Listed("debug", _SWITCH, "more lines for finding faults", "off"),
    Listed("validate", _SWITCH, "check what is read, where a test can", "off"),
    Listed("help", _SWITCH, "print this list", "off"),
    Listed("version", _SWITCH, "print the version", "off"),
    Listed("config-file", _FILE, "file with options, one a line"),
    Listed("tx-rate", _N, "former name of --rate", "0"),
    Listed("max-requests", _N, "former name of --events", "0"),
    Listed("max-time", _N, "former name of --time", "0"),
    Listed("num-threads", _N, "former name of --threads", "1"),
)
_RANDOM = (
    Listed(
        "rand-type", _TEXT, "how numbers are drawn by default {uniform,gaussian,special,pareto}", "special"
    ),
    Listed("rand-spec-iter", _N, "draws that are added up for one number", "12"),
    Listed(
        "rand-spec-pct",
        _N,
        "percent of the range that special draws more often",
        "1",
    ),
    Listed("rand-spec-res", _N, "percent of the draws that fall there", "75"),
    Listed(
        "rand-seed",
        _N,
        "seed of random numbers; 0: another each time",
        "0",
    ),
    Listed("rand-pareto-h", _N, "shape of the Pareto distribution", "0.2"),
)
_LOG = (Listed("verbosity", _N, "how much is said {0 - fatal errors alone, 5 - everything}", "3"),)
_LATENCY = (
    Listed(
        "percentile",
        _N,
        "percentile of latency that is printed (1-100); 0: none",
        "95",
    ),
    Listed("histogram", _SWITCH, "print the distribution of latency", "off"),
)
_DATABASE = (
    Listed(
        "db-driver",
        _TEXT,
        "database driver",
        "mysql",
    ),
    Listed("db-ps-mode", _TEXT, "whether statements are prepared at the server {auto, disable}", "auto"),
    Listed("db-debug", _SWITCH, "more lines about the database", "off"),
)
_MYSQL = (
    Listed("mysql-host", _LIST, "hosts of servers", "localhost"),
    Listed("mysql-port", _LIST, "ports of servers", "3306"),
    Listed("mysql-socket", _LIST, "unix sockets of servers"),
    Listed("mysql-user", _TEXT, "user who logs in", "sbtest"),
    Listed("mysql-password", _TEXT, "that user's password", ""),
    Listed("mysql-db", _TEXT, "database", "sbtest"),
    Listed("mysql-ssl", _SWITCH, "encrypt connections", "off"),
    Listed("mysql-ssl-cipher", _TEXT, "cipher of encrypted connections", ""),
    Listed("mysql-compression", _SWITCH, "compress connections", "off"),
    Listed("mysql-debug", _SWITCH, "trace the client library", "off"),
    Listed(
        "mysql-ignore-errors",
        _LIST,
        "codes of errors after which an event begins again, or all",
        "1213,1020,1205",
    ),
    Listed(
        "mysql-dry-run",
        _SWITCH,
        "send nothing: every statement succeeds at once",
        "off",
    ),
)
_OF_TESTS = {
    "cpu": (Listed("cpu-max-prime", _N, "primes are looked for up to this number", "10000"),),
    "memory": (
        Listed("memory-block-size", _SIZE, "bytes of the block that an event reads or writes", "1K"),
        Listed("memory-total-size", _SIZE, "bytes after which the run ends", "100G"),
        Listed("memory-scope", _TEXT, "one block for all threads, or one each {global,local}", "global"),
        Listed("memory-hugetlb", _SWITCH, "take the blocks from huge pages", "off"),
        Listed("memory-oper", _TEXT, "what is done with a block {read, write, none}", "write"),
        Listed("memory-access-mode", _TEXT, "order in a block {seq,rnd}", "seq"),
    ),
    "threads": (
        Listed("thread-yields", _N, "times that an event gives up the processor", "1000"),
        Listed("thread-locks", _N, "mutexes that threads share", "8"),
    ),
    "mutex": (
        Listed("mutex-num", _N, "mutexes in the array", "4096"),
        Listed("mutex-locks", _N, "mutexes that a thread takes", "50000"),
        Listed("mutex-loops", _N, "steps that a thread counts between two mutexes", "10000"),
    ),
    "fileio": (
        Listed("file-num", _N, "number of files", "128"),
        Listed("file-block-size", _N, "bytes of one read or write", "16384"),
        Listed("file-total-size", _SIZE, "bytes of all files together", "2G"),
        Listed(
            "file-test-mode", _TEXT, "order and kind of requests {seqwr, seqrewr, seqrd, rndrd, rndwr, rndrw}"
        ),
        Listed("file-io-mode", _TEXT, "how requests reach the files {sync,async,mmap}", "sync"),
        Listed("file-async-backlog", _N, "requests that a thread has open in mode async", "128"),
        Listed(
            "file-extra-flags",
            _LIST,
            "flags with which files are opened {sync,dsync,direct}",
            "",
        ),
        Listed(
            "file-fsync-freq",
            _N,
            "requests between two fsync(); 0: none between",
            "100",
        ),
        Listed("file-fsync-all", _SWITCH, "fsync() after each write", "off"),
        Listed("file-fsync-end", _SWITCH, "fsync() at the end", "on"),
        Listed("file-fsync-mode", _TEXT, "call that makes writes durable {fsync, fdatasync}", "fsync"),
        Listed(
            "file-merged-requests",
            _N,
            "neighbouring requests that are sent as one; 0: none",
            "0",
        ),
        Listed("file-rw-ratio", _N, "reads for each write in mode rndrw", "1.5"),
    ),
}


def options_of(test: str) -> str:
    """Returns what `sysbench TEST help` prints after the banner."""
    return f"{test} options:\n{_listed(_OF_TESTS[test])}"


def general_help() -> str:
    """Returns what `sysbench --help` prints."""
    tests = "".join(f"  {name} - {text}\n" for name, text in TESTS.items())
    return (
        "Usage:\n  sysbench [options]... [testname] [command]\n\n"
        "Commands of most tests: prepare run cleanup help\n\n"
        f"General options:\n{_listed(_GENERAL)}"
        f"Pseudo-Random Numbers Generator options:\n{_listed(_RANDOM)}"
        f"Log options:\n{_listed(_LOG)}{_listed(_LATENCY)}"
        f"General database options:\n\n{_listed(_DATABASE)}\n"
        "Compiled-in database drivers:\n  mysql - MySQL driver\n\n"
        f"mysql options:\n{_listed(_MYSQL)}"
        f"Compiled-in tests:\n{tests}\n"
        "The options of a test: sysbench TEST help\n\n"
    )


def _listed(options: Sequence[Listed]) -> str:
    width = max(len(one.name) + len(one.kind) for one in options)
    lines = []
    for one in options:
        default = "" if one.default is None else f" [{one.default}]"
        lines.append(f"  --{one.name + one.kind:<{width}} {one.text}{default}\n")
    return "".join(lines) + "\n"
