"""The command `scripts/release`: builds the artefacts of this version, and goes through the check list."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from scripts.releasing.artefacts import SUMS, sums
from scripts.releasing.checklist import BILL, ROOT, TARGETS, Line, Release
from scripts.releasing.notice import notice
from scripts.releasing.outcome import Outcome
from scripts.releasing.sbom import bill

_COLUMNS = (26, 14)


@click.command()
@click.option("--build", "builds", is_flag=True, help="Build the artefacts into dist/, engines included.")
@click.option("--check", "checks", is_flag=True, help="Go through the check list and print it as a table.")
@click.option("--tests", is_flag=True, help="With --check: run `make check test-all` too.")
@click.option(
    "--dist", type=click.Path(path_type=Path), default=ROOT / "dist", help="The folder of artefacts."
)
def release(builds: bool, checks: bool, tests: bool, dist: Path) -> None:
    """Build a release, and check it. The exit code is 1 when a line of the list failed.

    Tags, signatures and publishing are left to a person.
    """
    if not builds and not checks:
        raise click.UsageError("give --build, --check or both")
    made = Release(dist, tests)
    if builds:
        try:
            build(made)
        except subprocess.CalledProcessError as error:
            words = " ".join(map(str, error.cmd))
            raise click.ClickException(
                f"{words} ended with {error.returncode}: what it printed is above"
            ) from None
    if checks:
        outcomes = [show(line) for line in made.lines()]
        failed = sum(one.state == "failed" for one in outcomes)
        undone = sum(one.state == "not done here" for one in outcomes)
        click.echo(f"\n{len(outcomes) - failed - undone} ok, {failed} failed, {undone} not done here")
        sys.exit(1 if failed else 0)


def build(made: Release) -> None:
    """Writes wheel, packages, bill of materials, notice and sums into the folder of the release."""
    made.dist.mkdir(parents=True, exist_ok=True)
    for target in TARGETS:
        subprocess.run([ROOT / "scripts/wheel", "--target", target, "--out", made.dist], check=True)
    subprocess.run([ROOT / "scripts/package", "deb", "--dist", made.dist], check=True)
    committed = int(subprocess.check_output(["git", "log", "-1", "--format=%ct"], cwd=ROOT))
    (made.dist / BILL).write_text(bill(made.parts, committed))
    (made.dist / "NOTICE").write_text(notice(made.parts))
    lines = [f"{digest}  {name}\n" for name, digest in sums(made.dist).items()]
    (made.dist / SUMS).write_text("".join(lines))


def show(line: Line) -> Outcome:
    """Carries out a check and prints its row."""
    outcome = line.check()
    name, state = _COLUMNS
    why = " ".join(outcome.why.split())
    click.echo(f"{line.name:{name}} {outcome.state:{state}} {why}".rstrip())
    return outcome


if __name__ == "__main__":
    release(prog_name="scripts/release")
