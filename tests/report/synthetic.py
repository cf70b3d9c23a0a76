"""Results and a store in memory, in any shape: one treatment or six, one rung or eleven, one block or many.

The true line (run folders, store, verdict) is walked in test_whole_line.py; here the shapes matter.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
from assay.base.tally import EDGES_MS, LOWEST_MS, ROWS_A_DECADE
from assay.design.study import Study, load_study
from assay.reporting.report.material import Material
from assay.reporting.report.words import load_words
from assay.results.advice import Effect, Finding, ServerAdvice, Source, TriedFactor, TriedLevel, choose
from assay.results.stats.region import Gate
from assay.results.verdict.answers import Figure, HypothesisVerdict, Part
from assay.results.verdict.compared import Comparison, Place
from assay.results.verdict.phrases import Amount, Explanation, phrase
from assay.results.verdict.results import DoubtNote, Estimate, Results
from assay.testing.builders import decision
from assay.testing.histograms import encode_hdr, lognormal_bins

UNITS = {
    "tps": "1/s",
    "qps": "1/s",
    "mean_ms": "ms",
    "p95_ms": "ms",
    "p99_ms": "ms",
    "server_cpu_us_per_query": "us",
    "generator_cpu_us_per_query": "us",
    "reading_lateness_p99_ms": "ms",
    "Innodb_data_writes_per_query": "1",
    "Innodb_os_log_written_per_query": "bytes",
    "Innodb_data_fsyncs_per_query": "1",
}
VARIABLE = "innodb_purge_threads"
# Tries to break out of the page and out of a Markdown table.
HOSTILE = "<script src=//evil.example/x.js></script> & co | pipe"
RUN = "run_id text, treatment text, block int"
RUNG = f"{RUN}, rung text, load double"
COLUMNS = {
    "study": "name text, hash text, seed int, created_ns bigint, assay text, text text",
    "runs": f"{RUN}, position int, status text, started_ns bigint, ended_ns bigint, failure_message text,"
    " server_flavour text, server_version text, assay text, engine text, python text, manifest text",
    "attempts": f"{RUN}, position int, status text, why text, started_ns bigint, ended_ns bigint,"
    " failure_message text, manifest text",
    "levels": "treatment text, factor text, level text",
    "moments": f"{RUNG}, name text, at_ns bigint, t_s double",
    "traces": f"{RUNG}, name text, unit text, at_ns bigint, t_s double, value double",
    "measures": f"{RUNG}, measure text, unit text, value double",
    "rungs": f"{RUNG}, queries bigint, events text",
    "histograms": f"{RUNG}, label text, kind text, count bigint, hdr text",
    "intervals": f"{RUNG}, phase text, t_s double, tps double, p95_ms double",
    "heat": f"{RUNG}, phase text, t_s double, seconds double, max_ms double, first bigint, counts bigint[]",
    "error_counts": f"{RUNG}, code int, count bigint",
    "samples": f"{RUN}, source text, name text, value double",
    "rates": f"{RUNG}, source text, name text, t_s double, value double",
    "plans": f'{RUN}, place int, statement text, example text, select_type text, "table" text, access text,'
    " key text, key_length bigint, key_parts text, estimate bigint, extra text, unknown text",
    "ledger_lines": f'{RUNG}, ledger text, "group" text, line text, amount double, unit text',
    "profile_sources": f"{RUNG}, source text, name text, value double, text text",
    "profile_frames": f'{RUNG}, node int, parent int, name text, "group" text, amount double',
    "facts": "run_id text, scope text, moment text, key text, value text",
}


Rows = dict[str, list[list[object]]]
"""Rows by table, in the order of the table's columns."""


def make_material(
    path: Path,
    *,
    treatments: int = 2,
    loads: tuple[int, ...] = (1, 8, 64),
    blocks: int = 6,
    language: str = "en",
    claim_source: str = "release notes",
    clean: bool = False,
) -> Material:
    """Everything a report needs, under `path`."""
    random = np.random.default_rng(7)
    study = _study(path, treatments, loads, blocks, claim_source)
    names = [f"{VARIABLE}={level}" for level in range(1, treatments + 1)] if treatments > 1 else ["default"]
    rows: Rows = {table: [] for table in COLUMNS}
    text = (path / "study.toml").read_text(encoding="utf-8")
    rows["study"].append([study.name, "ab" * 32, 41, 1_760_000_000 * 10**9, "0.1.0", text])
    if treatments > 1:
        rows["levels"] += [[name, f"server.variables.{VARIABLE}", name.rpartition("=")[2]] for name in names]
    values: dict[tuple[str, float, str], list[tuple[int, float]]] = {}
    clock = 1_760_000_000_000_000_000
    for block in range(1, blocks + 1):
        luck = float(np.exp(random.normal(0, 0.03)))
        for position, name in enumerate(names, start=1):
            run_id = f"b{block:02d}-{position:02d}-{name}"
            factor = luck * (1 + 0.12 * (position - 1)) * float(np.exp(random.normal(0, 0.01)))
            _run(rows, run_id, name, block, position, clock)
            clock += 90_000_000_000
            for number, load in enumerate(loads, start=1):
                tps = 900 * load / (1 + load / 8 + (load / 180) ** 2) * factor
                measured = {
                    "tps": tps,
                    "qps": tps * 20,
                    "mean_ms": load / tps * 1e3,
                    "p95_ms": load / tps * 1.9e3,
                    "p99_ms": load / tps * 2.8e3,
                    "server_cpu_us_per_query": 61 / factor,
                    "generator_cpu_us_per_query": 4.1,
                    "reading_lateness_p99_ms": 0.02,
                    "Innodb_data_writes_per_query": 0.18,
                    "Innodb_os_log_written_per_query": 145.0,
                    "Innodb_data_fsyncs_per_query": 0.002,
                }
                for measure, value in measured.items():
                    noisy = value * float(np.exp(random.normal(0, 0.008)))
                    values.setdefault((name, load, measure), []).append((block, noisy))
                _rung(rows, (run_id, name, block, f"{number:02d}-threads-{load}", load), tps, random, clean)
    results = _results(study.name, names, loads, values, blocks, clean, claim_source)
    advice = (planted_advice(claim_source),) if treatments > 1 else ()
    return Material(study, results, _stored(rows), load_words(language), advice=advice)


def _stored(rows: Rows) -> duckdb.DuckDBPyConnection:
    """Returns a store of these rows, each table filled at once."""
    store = duckdb.connect(config={"threads": 1})
    for table, columns in COLUMNS.items():
        store.execute(f"create table {table} ({columns})")
        names = [column.split()[0].strip('"') for column in columns.split(", ")]
        if rows[table]:
            filled = pa.table(dict(zip(names, zip(*rows[table], strict=True), strict=True)))  # noqa: F841 (read by DuckDB)
            store.execute(f"insert into {table} select * from filled")
    return store


def renamed(made: Material, names: list[str]) -> Material:
    """Results whose treatments have other names, without levels of factors."""
    made.store.execute("DELETE FROM levels")
    of, results = dict(zip(made.results.treatments, names, strict=True)), made.results
    tables = made.rows(
        "SELECT DISTINCT table_name FROM information_schema.columns WHERE column_name = 'treatment'"
    )
    for row in tables:
        for old, new in of.items():
            made.store.execute(
                f"UPDATE {row['table_name']} SET treatment = ? WHERE treatment = ?", [new, old]
            )
    return replace(
        made,
        results=replace(
            results,
            treatments=tuple(names),
            estimates=tuple(replace(one, treatment=of[one.treatment]) for one in results.estimates),
            comparisons=tuple(
                replace(one, baseline=of[one.baseline], other=of[one.other]) for one in results.comparisons
            ),
        ),
    )


def planted_advice(study: str = "purge-threads") -> ServerAdvice:
    """Every conclusion once: a setting that is set, one that is too risky, and others that are not."""

    def finding(name: str, value: str, *words: str, of: Source, first: str = "1") -> Finding:
        effects = [Effect("tps", 8.0, "threads", decision(1.25, 1.2, 1.3), words[0])]
        effects += [Effect("p95_ms", 8.0, "threads", decision(0.9), word) for word in words[1:]]
        levels = (TriedLevel({name: first}), TriedLevel({name: value}, tuple(effects)))
        return Finding(of, choose(TriedFactor(name, levels)))

    one, other = Source(study, 8, {"host": "db1"}), Source("another", 6, {"host": "db2"})
    return ServerAdvice(
        "mariadb",
        "10.11.14",
        (
            finding(VARIABLE, "2", "better", "undecided", of=one),
            finding("innodb_flush_log_at_trx_commit", "2", "better", of=one),
            finding("innodb_io_capacity", "2", "better", of=one),
            finding("innodb_io_capacity", "2", "worse", of=other),
            finding("innodb_page_cleaners", "2", "same", of=one),
            finding("innodb_lru_scan_depth", "2", "better", "worse", of=one),
            finding("sync_binlog", "2", "undecided", of=one),
        ),
    )


def _study(path: Path, treatments: int, loads: tuple[int, ...], blocks: int, source: str) -> Study:
    path.mkdir(parents=True, exist_ok=True)
    levels = list(range(1, treatments + 1))
    factor = (
        f'[[factor]]\nname = "server.variables.{VARIABLE}"\nlevels = {levels}\n' if treatments > 1 else ""
    )
    claim = f"tps[{VARIABLE}=2] > tps[{VARIABLE}=1]" if treatments > 1 else "p95_ms < 20"
    toml = f"""
[study]
name = "purge-threads"
title = {{ en = "Purge threads", zh = "Purge 线程" }}
[server]
use = "mariadb@10.11"
[workload]
use = "oltp_read_write"
tables = 4
table_size = 250_000
[load]
threads = {list(loads)}
warmup = "5s"
measure = "20s"
{factor}
[design]
blocks = {blocks}
[[hypothesis]]
claim = "{claim}"
source = "{source}"
"""
    file = path / "study.toml"
    file.write_text(toml, encoding="utf-8")
    return load_study(file)


def _run(rows: Rows, run_id: str, name: str, block: int, position: int, clock: int) -> None:
    server, tools = ["mariadb", "10.11.14"], ["0.1.0", "0.1.0", None]
    run, ended, manifest = [run_id, name, block], clock + 80_000_000_000, f"runs/{run_id}/run.json"
    rows["runs"].append([*run, position, "complete", clock, ended, None, *server, *tools, manifest])
    rows["samples"].append([*run, "canary", "cpu_us", 400.0 + block])
    facts = {
        ("host", "cpu.model"): "Synthetic CPU @ 2.60GHz",
        ("host", "cpu.logical"): "2",
        ("host", "memory.total_bytes"): "8589934592",
        ("host", "clock.drift"): str(block),
        ("server", "version"): "10.11.14-MariaDB",
        ("server", f"variables.{VARIABLE}"): name.rpartition("=")[2],
        ("server", "variables.port"): str(3000 + position),
        ("server", "variables.sort_buffer_size"): str(262144 * (1 + position // 2)),
        ("server", "variables.autocommit"): "ON",
        ("server", "variables.sync_binlog"): str(position - 1),
        ("server", "variables.log_bin"): "ON",
    }
    rows["facts"] += [[run_id, scope, "before", key, value] for (scope, key), value in facts.items()]


def _rung(
    rows: Rows, key: tuple[str, str, int, str, float], tps: float, random: np.random.Generator, clean: bool
) -> None:
    seconds = np.arange(-5, 20) + 0.5
    index, share = lognormal_bins(key[4] / tps * 1e9, 0.5)
    hdr = encode_hdr(index, random.multinomial(int(tps * 20), share))
    rows["histograms"].append([*key, "transaction", "service", int(tps * 20), hdr])
    rows["rungs"].append([*key, int(tps * 400), f"runs/{key[0]}/rungs/{key[3]}/events.jsonl"])
    if not clean:
        rows["error_counts"].append([*key, 1213, int(key[4])])
    apart = np.random.default_rng(11)
    for t in seconds.tolist():
        phase = "warmup" if t < 0 else "measure"
        now = tps * float(np.exp(random.normal(0, 0.03))) * (0.7 if t < -3 else 1)
        rows["intervals"].append([*key, phase, t, now, key[4] / now * 1.9e3])
        drawn = np.searchsorted(EDGES_MS, apart.lognormal(np.log(key[4] / now * 1e3), 0.5, 200))
        first, last = int(drawn.min()), int(drawn.max())
        counts = np.bincount(drawn - first).tolist()
        longest = LOWEST_MS * 10 ** ((last + 1) / ROWS_A_DECADE)
        rows["heat"].append([*key, phase, t - 0.5, 1.0, longest, first, counts])
        signals = {
            ("cpu", "user_us"): 1.1e6,
            ("cpu", "system_us"): 0.4e6,
            ("cpu", "iowait_us"): 0.05e6,
            ("cpu", "steal_us"): 0.01e6,
            ("cpu", "context_switches"): now * 30,
            ("processes", "server.user_us"): 0.8e6,
            ("processes", "server.system_us"): 0.3e6,
            ("processes", "engine.user_us"): 0.2e6,
            ("processes", "engine.system_us"): 0.1e6,
            ("status", "Innodb_buffer_pool_pages_dirty"): 9000 + 120 * t,
            ("disks", "vda.write_bytes"): now * 9000,
        }
        noise = np.exp(random.normal(0, 0.05, len(signals))).tolist()
        rows["rates"] += [[*key, *of, t, v * up] for (of, v), up in zip(signals.items(), noise, strict=True)]


def said_of_ratio(other: str, baseline: str, load: float) -> Explanation:
    """What a verdict says of the planted ratio at a load point."""
    times = Amount(1.12, "", 1.1, 1.14, "ratio", 6, 0.95)
    left, right = Place(other, load), Place(baseline, load)
    return (
        (phrase("times-at-load", measure="tps", other_measure="tps", left=left, right=right, times=times),),
    )


def _results(
    study: str,
    names: list[str],
    loads: tuple[int, ...],
    values: dict[tuple[str, float, str], list[tuple[int, float]]],
    blocks: int,
    clean: bool,
    claim_source: str,
) -> Results:
    estimates = []
    for (name, load, measure), single in values.items():
        mean = float(np.mean([v for _, v in single]))
        half = 2.2 * float(np.std([v for _, v in single])) if blocks > 1 else None
        low, high = (mean - half, mean + half) if half is not None else (None, None)
        estimates.append(Estimate(name, load, measure, UNITS[measure], mean, low, high, tuple(single)))
    comparisons = []
    for measure in ("tps", "p95_ms", "p99_ms"):
        for load in loads:
            for a, baseline in enumerate(names):
                for other in names[a + 1 :]:
                    pairs = zip(values[other, load, measure], values[baseline, load, measure], strict=True)
                    logs = np.log([x / y for (_, x), (_, y) in pairs])
                    ratio, half = float(np.exp(logs.mean())), 2.5 * float(logs.std()) / blocks**0.5
                    low, high = (ratio * np.exp(-half), ratio * np.exp(half)) if blocks > 1 else (None, None)
                    word = (
                        "estimate-only"
                        if blocks < 6
                        else "better"
                        if (ratio > 1) == (measure == "tps")
                        else "worse"
                    )
                    if blocks >= 6 and abs(ratio - 1) < 0.14 and load == loads[-1]:
                        word = "undecided"
                    comparisons.append(
                        Comparison(
                            baseline,
                            other,
                            load,
                            measure,
                            ratio,
                            low,
                            high,
                            0.03125,
                            blocks,
                            0.02,
                            word,
                            4 if word == "undecided" else None,
                        )
                    )
    outcome = "supported" if blocks >= 6 else "undecided"
    parts = tuple(
        Part(
            (Place(names[-1], load), Place(names[0], load)),
            outcome,
            Figure("ratio", 1.12, 1.1, 1.14),
            blocks,
            None,
            said_of_ratio(names[-1], names[0], load),
        )
        for load in loads
    )
    claim = f"tps[{VARIABLE}=2] > tps[{VARIABLE}=1]" if len(names) > 1 else "p95_ms < 20"
    verdict = HypothesisVerdict(
        claim,
        claim_source,
        outcome,
        said_of_ratio(names[-1], names[0], loads[-1]),
        parts,
    )
    doubts = (
        ()
        if clean
        else (
            DoubtNote(
                "generator-cpu",
                "the generator used 84 % of its share of the CPUs",
                f"b01-01-{names[0]}",
                loads[-1],
                "warning",
            ),
            DoubtNote("errors", "0.2 % of the transactions met a deadlock (1213)", None, None, "note"),
        )
    )
    return Results(
        study,
        tuple(names),
        tuple(float(x) for x in loads),
        "threads",
        tuple(estimates),
        tuple(comparisons),
        (verdict,),
        doubts,
        blocks,
        blocks,
        Gate.of(0.95),
        (),
    )
