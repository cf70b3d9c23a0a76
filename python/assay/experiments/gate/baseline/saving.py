"""Saves a baseline, and replaces one that exists, which only a person does, with a reason."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from assay.base.errors import ConflictError, GateUnjudged, InputError
from assay.base.printable import line
from assay.base.wording import counted
from assay.experiments.gate.baseline.record import Baseline, Measured, read_baseline, write_baseline
from assay.experiments.gate.baseline.series import identity_of, measures_of, noise_of, series_of, servers_of
from assay.experiments.lab import Judged, figures_of, results_folder
from assay.reporting.report import lack_text, load_words
from assay.results.stats import fewest_blocks
from assay.results.verdict import Shortfall


def save(results: Path, file: Path) -> Baseline:
    """Writes the results as a baseline into a new file.

    Raises ConflictError where the file exists, GateUnjudged for results in which something is missing.
    """
    if file.exists():
        raise ConflictError(
            f"{file} exists already: a baseline is not moved by saving",
            hint=f'to replace it, give a reason: assay baseline accept {results} {file} --reason "…"',
        )
    made = _made(results, "first baseline", ())
    write_baseline(file, made)
    return made


def accept(results: Path, file: Path, reason: str) -> Baseline:
    """Replaces a baseline by these results, and keeps the reason in the file.

    Raises InputError for an empty reason, ConflictError for results of another study, GateUnjudged for
    results in which something is missing.
    """
    if not reason.strip():
        raise InputError(
            "--reason is empty", hint='say why the new figures are right, as in --reason "new allocator"'
        )
    known = read_baseline(file)
    made = _made(results, reason.strip(), known.accepted)
    if made.identity.study != known.identity.study:
        raise ConflictError(
            f"{results} has another study than the baseline {file}, which is of {line(known.name)}",
            hint="save it into another file: assay baseline save",
        )
    write_baseline(file, made)
    return made


def _made(results: Path, reason: str, before: tuple[Measured, ...]) -> Baseline:
    with figures_of(results_folder(results)) as found:
        _require_whole(results, found)
        measures = measures_of(found.study)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return Baseline(
            name=found.study.name,
            identity=identity_of(found),
            load_kind=found.results.load_kind,
            confidence=found.study.verdict.confidence,
            series=tuple(series_of(found, measures).values()),
            noise=noise_of(found, measures),
            accepted=(*before, Measured(at=now, servers=servers_of(found), reason=reason)),
        )


def _require_whole(results: Path, found: Judged) -> None:
    study = found.study
    if study.is_imported:
        raise InputError(f"{results}: has results of another tool, which say nothing of the machine")
    fewest = fewest_blocks(study.verdict.confidence)
    if found.results.blocks_complete < fewest:
        raise GateUnjudged(
            f"{results}: has {counted(found.results.blocks_complete, 'complete block')}, and a baseline needs"
            f" {fewest}",
            hint="run more blocks, then save again",
        )
    if reasons := Shortfall(found).everything():
        raise GateUnjudged(
            f"{results} cannot be a baseline: {lack_text(reasons[0], load_words('en')).rstrip('.')}",
            hint="mend the measurement, then save again",
        )
