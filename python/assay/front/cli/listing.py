"""The verb `assay list`: the results here with what came of them, and the shipped studies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.base.printable import line
from assay.base.wording import counted
from assay.front.terminal import say, say_json, say_rows

if TYPE_CHECKING:
    from assay.design.folder import ResultsFolder
    from assay.front.cli.shipped import ShippedStudy


@click.command("list")
@click.argument("folder", required=False)
@click.option("--studies", is_flag=True, help="List only the studies, those in folders too.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, file_okay=False),
    help="List only the results in this folder.  [default: results]",
)
@click.option(
    "--server",
    metavar="SERVER",
    help="List only the studies that apply to this server, as in mysql@5.6 or mariadb.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    folder: str | None, studies: bool, results: Path | None, server: str | None, as_json: bool
) -> None:
    """List the results in this folder with what came of them, and the studies that come with assay.

    The verbs that take a study take its name. Studies of one kind stand in a folder: with FOLDER, they alone
    are listed. A study that applies only to some servers is listed with them. This command judges nothing;
    `assay show RESULTS` does.

    \b
    Example:
      assay list
      assay list features
      assay list features --server mysql@5.6
      assay list --results /data/results
    """
    from dataclasses import asdict

    from assay.experiments.lab import results_in, standing
    from assay.front.cli.shipped import shipped_studies

    found = [one for one in shipped_studies() if _applies(one, server)] if results is None else []
    if folder is not None:
        found = _in_folder(folder, found)
    only_studies = studies or folder is not None
    place = results or Path("results")
    here = [] if only_studies else list(results_in(place))
    if as_json:
        states = [asdict(standing(one)) for one in here]
        say_json({"studies": [one.as_object() for one in found], "results": states})
        return
    if not only_studies:
        _print_results(here, place)
        say()
    _print_studies(found, whole=studies or folder is not None or server is not None)


def _in_folder(folder: str, studies: Sequence[ShippedStudy]) -> list[ShippedStudy]:
    from assay.base.errors import InputError
    from assay.design.study import did_you_mean

    wanted = folder.strip("/")
    found = [one for one in studies if f"{one.folder}/".startswith(f"{wanted}/")]
    if not found:
        known = sorted({one.folder for one in studies if one.folder})
        raise InputError(f'no studies stand in "{folder}"{did_you_mean(folder, known)}')
    return found


def _print_results(folders: Sequence[ResultsFolder], place: Path) -> None:
    from assay.experiments.lab import last_result, standing

    if not folders:
        say(f"No results in {place}. Begin with: assay run quickstart")
        return
    say(f"Results in {place} (assay show {place}/NAME)")
    rows = []
    for folder in folders:
        found = standing(folder)
        told = last_result(folder) if found.complete == found.planned else None
        rows.append((folder.path.name, found.title or found.study, told or found.sentence))
    _say_aligned(rows, give=1)


def _print_studies(studies: Sequence[ShippedStudy], *, whole: bool) -> None:
    """Prints names and titles; of the folders, unless the `whole` list is wanted, how many studies they
    have.
    """
    if not studies:
        return
    say("Studies (assay plan NAME)")
    shown = [one for one in studies if whole or not one.folder]
    _say_aligned([(one.name, _titled(one)) for one in shown], give=1)
    if whole:
        return
    kinds = sorted(one.folder.partition("/")[0] for one in studies if one.folder)
    for folder, those in groupby(kinds):
        say(f"  {folder}/: {counted(len(list(those)), 'more study', 'more studies')} (assay list {folder})")


def _titled(study: ShippedStudy) -> str:
    spans = f"  [{' and '.join(study.servers)}]" if study.servers else ""
    return study.title + spans


def _say_aligned(rows: Sequence[tuple[str, ...]], *, give: int) -> None:
    if rows:
        say_rows([tuple(map(line, row)) for row in rows], give=give)


def _applies(study: ShippedStudy, server: str | None) -> bool:
    """Returns whether the study applies to a version that `server` names."""
    if server is None or not study.servers:
        return True
    from assay.design.study import parse_version_span
    from assay.system.server.release import parse_use

    flavour, version = parse_use(server)
    return any(parse_version_span(span).meets(flavour.name, version) for span in study.servers)
