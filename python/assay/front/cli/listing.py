"""The verb `assay list`: the shipped studies, and the results here with how far they have come."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from assay.base.decoding import toml_tables
from assay.base.printable import line
from assay.front.terminal import say, say_json


@click.command("list")
@click.option("--studies", is_flag=True, help="List only the studies.")
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
def command(studies: bool, results: Path | None, server: str | None, as_json: bool) -> None:
    """List the studies that come with assay, and the results in this folder with their progress.

    A study that applies only to some servers is listed with them. This command judges nothing; `assay show
    RESULTS` does.

    \b
    Example:
      assay list
      assay list --studies --server mysql@5.6
      assay list --results /data/results
    """
    from dataclasses import asdict

    from assay.experiments.lab import results_in, standing

    found = [one for one in _studies() if _applies(one, server)] if results is None else []
    here = [] if studies else [standing(folder) for folder in results_in(results or Path("results"))]
    if as_json:
        say_json({"studies": found, "results": [asdict(one) for one in here]})
        return
    if found:
        width = max(len(one["file"]) for one in found)
        say("Studies (assay plan FILE)")
        for one in found:
            spans = f"  [{line(' and '.join(one['servers']))}]" if one["servers"] else ""
            say(f"  {one['file']:{width}}  {line(one['title'])}{spans}")
    if not studies:
        _print_results([(one.results, one.sentence) for one in here], results)


def _print_results(here: list[tuple[str, str]], results: Path | None) -> None:
    if not here:
        say(f"\nNo results in {results or 'results'}. Begin with: assay run studies/quickstart.toml")
        return
    width = max(len(where) for where, _ in here)
    say("\nResults (assay show FOLDER)" if results is None else "Results (assay show FOLDER)")
    for where, sentence in here:
        say(f"  {line(where):{width}}  {line(sentence)}")


def _studies() -> Iterator[dict[str, Any]]:
    """Yields file, title and servers of each study of the checkout; one that cannot be read has its error as
    title. No servers stand for all.
    """

    import assay

    place = Path(assay.__file__).resolve().parents[2] / "studies"
    for file in sorted(place.rglob("*.toml"), key=lambda path: (len(path.parts), path)):
        try:
            tables = toml_tables(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            tables = {"study": {"title": f"cannot be read: {error}"}}
        study, servers = tables.get("study", {}), tables.get("server", {}).get("applies", [])
        title = study.get("title", study.get("name", ""))
        title = title.get("en", next(iter(title.values()), "")) if isinstance(title, dict) else title
        name = study.get("name", file.stem)
        yield {"file": _shown(file), "name": name, "title": str(title), "servers": servers}


def _applies(study: dict[str, Any], server: str | None) -> bool:
    """Returns whether the study applies to a version that `server` names."""
    if server is None or not study["servers"]:
        return True
    from assay.design.study import parse_version_span
    from assay.system.server.release import parse_use

    flavour, version = parse_use(server)
    return any(parse_version_span(span).meets(flavour.name, version) for span in study["servers"])


def _shown(file: Path) -> str:
    """Returns the file relative to the current directory, where it is below it."""
    try:
        return str(file.relative_to(Path.cwd()))
    except ValueError:
        return str(file)
