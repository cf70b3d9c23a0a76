"""The verb `assay advise`: settings that follow from the results of a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.front.cli.size_option import Size
from assay.front.terminal import say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assay.design.folder import ResultsFolder
    from assay.reporting.report import Words
    from assay.results.advice import Advice, ServerAdvice


@click.command("advise")
@click.argument(
    "results",
    metavar="RESULTS…",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
)
@click.option(
    "--page-size",
    type=Size(4096, 65_536),
    default="16K",
    metavar="SIZE",
    show_default=True,
    help="innodb_page_size, for a study of storage.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(results: tuple[Path, ...], page_size: int, as_json: bool) -> None:
    """Advise settings by the RESULTS of one study or of several.

    Studies of server variables give a fragment of my.cnf for each flavour and version that was measured: the
    settings that were found better, each with its effect, interval, durability and study, and as comments
    what made no difference, what depends on the load and what is undecided. A setting that is less durable
    than the server can be, that changes what statements mean, or whose consequences are not known is written
    as a comment, and so is one on which studies disagree. Conditions in which the studies differ (host,
    workload, data, fixed variables) are listed.

    A study of storage gives settings of InnoDB for the disk, each with its reason and the doubts about it.
    Where several load points answer one question, the slowest counts for a latency, and what the others say
    against it is printed. A setting that rests on fewer blocks than a verdict needs is a comment. Settings
    that it cannot decide are listed, with what would. Each level of storage.directory or host.X is a disk of
    its own.

    \b
    Example:
      assay run commit-cost
      assay advise results/commit-cost > fragment.cnf
      assay advise results/commit-cost results/purge-threads
      assay run storage/five-jobs
      assay advise results/five-jobs
    """
    from assay.experiments.lab import is_of_storage, results_folder

    folders = [results_folder(one) for one in dict.fromkeys(results)]
    of_storage = [one for one in folders if is_of_storage(one)]
    if not of_storage:
        _advise_servers(folders, as_json=as_json)
    elif len(folders) == 1:
        _advise_disks(folders[0], page_size, as_json=as_json)
    else:
        raise click.UsageError(
            f"{of_storage[0].path} is a study of storage, which cannot be combined with other results"
        )


def _advise_servers(folders: Sequence[ResultsFolder], *, as_json: bool) -> None:
    from assay.experiments.lab import settings_advice
    from assay.reporting.report import load_words, my_cnf

    advice, words = settings_advice(folders), load_words("en")
    fragments = [my_cnf(one, words) for one in advice]
    if as_json:
        say_json([_as_object(one, text) for one, text in zip(advice, fragments, strict=True)])
    else:
        say("\n".join(fragments), newline=False)


def _as_object(advice: ServerAdvice, fragment: str) -> dict[str, Any]:
    from dataclasses import asdict

    conclusions = [_plain(asdict(one)) | {"durability": one.durability} for one in advice.conclusions()]
    return {
        "flavour": advice.flavour,
        "version": advice.version,
        "differing": {name: {of.study: text for of, text in each} for name, each in advice.differing.items()},
        "conclusions": conclusions,
        "fragment": fragment,
    }


def _plain(value: Any) -> Any:
    """Returns a conclusion with each effect's ratio and word as fields of its own."""
    if isinstance(value, dict):
        found = {name: _plain(each) for name, each in value.items()}
        if "judged" in found:
            rests_on, word = found.pop("decision"), found.pop("judged")
            known = {name: rests_on[name] for name in ("low", "high", "blocks", "doubts")}
            return {**found, "ratio": rests_on["figure"], **known, "word": word}
        return found
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _advise_disks(folder: ResultsFolder, page_size: int, *, as_json: bool) -> None:
    from assay.experiments.lab import disk_advice
    from assay.reporting.report import load_words

    found, words = disk_advice(folder, page_size), load_words("en")
    if as_json:
        say_json([_of_disk(disk, one) for disk, all_of_it in found.items() for one in all_of_it])
        return
    for number, (disk, all_of_it) in enumerate(found.items()):
        if disk:
            say(("\n" if number else "") + f"# {disk}")
        for one in all_of_it:
            for said in _lines(one, words):
                say(said)


def _lines(one: Advice, words: Words) -> Iterator[str]:
    """Yields the lines of one setting; that of an estimate is a comment, for nobody to paste it."""
    from assay.reporting.report import doubts_beside, explain_estimate

    if one.decision is None:
        yield f"# {one.setting}: not known"
        yield f"#     {one.reason}"
        return
    yield f"{'' if one.is_firm else '# '}{one.setting} = {one.value}"
    said = [one.reason, explain_estimate(words, one.decision)]
    said += [words("decision.others", others=words.clauses(one.others))] if one.others else []
    said.append(doubts_beside(words, one.decision))
    yield from (f"#     {each}" for each in said if each)


def _of_disk(disk: str, one: Advice) -> dict[str, Any]:
    rests_on = one.decision
    known: dict[str, Any] = {}
    if rests_on is not None:
        known = {
            "figure": rests_on.figure,
            "low": None if rests_on.interval is None else rests_on.interval[0],
            "high": None if rests_on.interval is None else rests_on.interval[1],
            "blocks": min(rests_on.blocks),
            "estimate": rests_on.obstacles,
            "doubts": rests_on.doubts,
        }
    return {
        "disk": disk,
        "setting": one.setting,
        "value": one.value if one.is_firm else None,
        "estimated_value": None if one.is_firm else one.value,
        "reason": one.reason,
        "others": one.others,
        **known,
    }
