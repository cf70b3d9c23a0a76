"""The verb `assay why`: says what the differences between treatments are made of, from kept results."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.base.errors import InputError
from assay.front.cli.result_options import json_option
from assay.front.cli.why_cause import CauseRequest, cause_options, follow
from assay.front.cli.why_modes import check_mode
from assay.front.terminal import console, say, say_json
from assay.results.ledger.export import FORMS, HTML

if TYPE_CHECKING:
    from assay.results.verdict import Results


@click.command("why")
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--treatment", metavar="NAME", help="Explain this treatment alone.  [default: all]")
@click.option(
    "--load",
    type=float,
    metavar="N",
    help="Explain the differences at this load point.  [default: where the difference is largest]",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    help="Language of the text.",
)
@click.option(
    "--export",
    "form",
    type=click.Choice([*FORMS, HTML]),
    help="Write the profiles in this form, a file a treatment and load point, or with html one page that can"
    " be searched, and print the files.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIRECTORY",
    help="With --export: write the files there.  [default: RESULTS/profiles]",
)
@cause_options
@json_option
def command(
    results: Path,
    treatment: str | None,
    load: float | None,
    language: str,
    form: str | None,
    output: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Say what the differences between the treatments of RESULTS are made of, and what causes them.

    Each ledger divides a cost into lines that add up: processor time per query by groups of functions, time
    per transaction by what it waited for. The ledger of counters needs nothing but the results. Every line
    has the difference to the baseline, paired by block, with its interval; a line has moved only if that is
    certain with all lines together. A line that moved is a part of the difference and no cause.

    --intervene makes the same change to both treatments, in a study of its own, and says how much of their
    difference goes away. --plans finds the settings that give one treatment the plans of the other, and
    --bottleneck the resource that bounds a treatment. Each shows first what it would run; after Ctrl-C the
    same command continues.

    \b
    Example:
      assay why results/quickstart
      assay why results/quickstart --treatment "innodb_purge_threads=4" --load 8
      assay why results/quickstart --export speedscope
      assay why results/quickstart --intervene --budget 30m
      assay why results/quickstart --json | jq '.ledgers[].lines[] | select(.word == "moved")'
    """
    from assay.experiments.lab import judged, results_folder, write_profiles

    check_mode(click.get_current_context())
    request = CauseRequest.of(options, treatment, load, as_json=as_json)
    if follow(results_folder(results), request, options):
        return

    from assay.front.cli.results_shown import as_object
    from assay.front.terminal import print_why
    from assay.reporting.report import (
        Material,
        Telling,
        effect_of_watching,
        first_sentences,
        load_words,
        looks_of,
        missing_ledgers,
        treatment_names,
        why_sentences,
    )
    from assay.results.verdict import seen_plans, shifts_of, watched_shares

    with judged(results_folder(results)) as found:
        _check(found.results, results, treatment, load)
        if form is not None:
            written = write_profiles(found, form, output, language)
            if as_json:
                say_json({"files": [str(one) for one in written.files], "unread": written.unread})
            for file in () if as_json else written.files:
                say(str(file))
            for why in () if as_json else written.unread:
                say(f"left out: {why}", err=True)
            return
        shifts = shifts_of(found.results, treatment, load)
        words = load_words(language, found.results.gate)
        names = treatment_names(Material(found.study, found.results, found.store, words))
        how = Telling.of(found.results, words, names)
        missing = missing_ledgers(shifts, found.results, words)
        pairs = dict.fromkeys((one.baseline, one.other) for one in shifts)
        plans = seen_plans(found.store, list(pairs))
        shares = watched_shares(found.store, found.study.verdict.confidence)
        looks = looks_of(shifts, plans, shares, how.needed)
        first = first_sentences(looks, shifts, how)
        effect = effect_of_watching(shares, shifts, how)
        if not shifts:
            missing = [_nothing(found.results), *missing]
        if as_json:
            say_json(
                {
                    "study": found.results.study,
                    "first": first,
                    "looks": [
                        {"baseline": baseline, "other": other, "at": [as_object(one) for one in at]}
                        for (baseline, other), at in looks.items()
                    ],
                    "sentences": why_sentences(shifts, how),
                    "ledgers": [as_object(one) for one in shifts],
                    "effect_of_watching": effect,
                    "missing": missing,
                }
            )
            return
        print_why(shifts, [*missing, *([effect] if effect else [])], how, console(), first)


def _check(results: Results, folder: Path, treatment: str | None, load: float | None) -> None:
    """Raises InputError for a treatment or a load point that the results lack."""
    known = [one for one in results.treatments if one not in {shift.baseline for shift in results.ledgers}]
    if treatment is not None and treatment not in known:
        close = get_close_matches(treatment, results.treatments, 1)
        raise InputError(
            f'--treatment "{treatment}": {folder} has no such treatment beside its baseline',
            hint=f'give "{close[0] if close and close[0] in known else known[-1]}"'
            if known
            else "leave it out",
        )
    if load is not None and load not in results.loads:
        listed = ", ".join(f"{one:g}" for one in results.loads)
        raise InputError(f"--load {load:g}: {folder} has no such load point", hint=f"give one of {listed}")


def _nothing(results: Results) -> str:
    """Returns why there is no ledger at all."""
    if len(results.treatments) < 2:
        return "There is nothing to compare: the results have one treatment."
    if results.screening is not None:
        return "A screen compares levels over many treatments: no pair of them has a ledger."
    barring = sorted({one.kind for one in results.doubts if one.severity == "invalid" and one.run_id is None})
    if barring:
        return f"Nothing is compared: a doubt forbids any verdict ({', '.join(barring)}), see `assay show`."
    return (
        "No block has counters of both treatments: they are read once a second, and no reading fell into the"
        " measured windows of one or both. Give `[load] measure` 3 s or more, and the account of a running"
        " server the right that `assay plan` names."
    )
