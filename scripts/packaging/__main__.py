"""The command `scripts/package`: builds packages of a wheel, and tries them on bare systems."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import click

from scripts.packaging.chroot import Chroot, NotHere, bare
from scripts.packaging.debian import ROOT, Label, build
from scripts.packaging.image import carry_out
from scripts.packaging.installation import Source
from scripts.packaging.interpreter import find_interpreter
from scripts.packaging.lintian import errors_of
from scripts.packaging.man import man_page
from scripts.packaging.record import keep
from scripts.packaging.systems import PYTHONS, SYSTEMS, System
from scripts.packaging.trial import Step, Trial
from scripts.packaging.wheel import engine_of, wheels_in

KEPT = ROOT / "target/bare-systems"
_PATH = click.Path(path_type=Path)
_dist = click.option("--dist", type=_PATH, default=ROOT / "dist", help="The folder of wheels and packages.")


@click.group()
def package() -> None:
    """Build packages of the wheels in dist/, and try them on bare systems."""


@package.command("deb")
@_dist
@click.option("--python", "pythons", multiple=True, type=click.Choice(PYTHONS), help="Only for this version.")
@click.option("--interpreter", type=_PATH, help="Use this Python; it needs --python.")
@click.option("--maintainer", help="Name <address> in the package.  [default: the author of the last commit]")
def build_packages(
    dist: Path, pythons: tuple[str, ...], interpreter: Path | None, maintainer: str | None
) -> None:
    """Build a .deb of every wheel in dist/, for every version of Python."""
    from scripts.releasing.notice import notice

    label = Label(maintainer or _git("%an <%ae>"), int(_git("%ct")), notice())
    wheels = wheels_in(dist)
    if not wheels:
        raise click.ClickException(f"{dist} holds no wheel: make one with scripts/wheel")
    with engine_of(wheels):
        for wheel in wheels:
            for version in pythons or PYTHONS:
                source = Source(wheel, _locked(), interpreter or find_interpreter(version), version)
                made = build(source, label, dist)
                click.echo(f"{made}: {made.stat().st_size / 1e6:.1f} MB")


@package.command("check")
@_dist
@click.option("--system", "chosen", multiple=True, type=click.Choice([one.name for one in SYSTEMS]))
@click.option(
    "--demo", default="assay demo", show_default=True, help="The first command that a newcomer gives."
)
@click.option("--unsigned", is_flag=True, help="Trust an archive whose keys this machine lacks.")
def check(dist: Path, chosen: tuple[str, ...], demo: str, unsigned: bool) -> None:
    """Install, use and purge the packages in bare systems."""
    failed = False
    for system in SYSTEMS:
        if not chosen or system.name in chosen:
            made = _package_of(dist, system.python)
            steps = _show(system.name, _tried(made, system, tuple(demo.split()), unsigned))
            failed |= any(step.wrong for step in steps)
            if any(step.name == "purge" or step.wrong for step in steps):
                keep(made, system.name, steps)
    sys.exit(1 if failed else 0)


@package.command("lintian")
@_dist
def lintian(dist: Path) -> None:
    """Ask lintian, the checker of Debian's policy, about the packages: it may find no errors."""
    failed = False
    for version in PYTHONS:
        made = _package_of(dist, version)
        steps = _show(version, _policy(made))
        failed |= any(step.wrong for step in steps)
        if steps:
            keep(made, "lintian", steps)
    sys.exit(1 if failed else 0)


@package.command("image")
@_dist
@click.option("--check", "checks", is_flag=True, help="Carry the recipe out, and run it without rights.")
@click.option("--demo", default="demo", show_default=True, help="The words after the image's name.")
def image(dist: Path, checks: bool, demo: str) -> None:
    """Build the container image with the engine that is here, or with --check try its recipe without one."""
    recipe = ROOT / "packaging/Containerfile"
    if not checks:
        engine = next((one for one in ("podman", "buildah", "docker") if shutil.which(one)), None)
        if engine is None:
            raise click.ClickException("podman, buildah and docker are missing; --check needs none of them")
        sys.exit(subprocess.run([engine, "build", "--file", recipe, "--tag", "assay", dist]).returncode)
    steps = _show("image", _image_steps(recipe, dist, demo.split()))
    keep(_package_of(dist, SYSTEMS[0].python), "image", steps)
    sys.exit(1 if any(step.wrong for step in steps) else 0)


@package.command("man")
def man() -> None:
    """Print the manual page that packages carry."""
    click.echo(man_page(), nl=False)


def _policy(made: Path) -> Iterable[Step]:
    yield Step("lintian", "; ".join(errors_of(made)))


def _tried(made: Path, system: System, demo: tuple[str, ...], unsigned: bool) -> Iterable[Step]:
    with bare(system, KEPT, unsigned=unsigned) as chroot:
        yield from Trial(chroot, made, demo).steps()


def _image_steps(recipe: Path, dist: Path, demo: list[str]) -> Iterable[Step]:
    with ExitStack() as stack:

        def base(name: str) -> Chroot:
            if name != "debian:12-slim":
                raise ValueError(f"FROM {name}: only debian:12-slim has a bare system here")
            return stack.enter_context(bare(SYSTEMS[0], KEPT))

        made = carry_out(recipe.read_text(), dist, base, _architecture())
        yield Step("build")
        volumes = made.system.root.parent / "volumes"
        volumes.mkdir()
        for name, words, seconds in (("doctor", ["doctor"], 120.0), ("demo", demo, 600.0)):
            done = made.run(words, volumes, seconds=seconds)
            yield Step(name, f"exit {done.code}: {done.output[-500:]}" if done.code else "")
        reports = list(volumes.glob("0/*/report.html"))
        yield Step("report", "" if reports else "/results has no report.html")


def _show(name: str, steps: Iterable[Step]) -> list[Step]:
    done = []
    try:
        for step in steps:
            click.echo(f"{name:13} {step.name:12} {step.wrong or 'ok'}")
            done.append(step)
    except NotHere as reason:
        click.echo(f"{name:13} not done here: {reason}")
        return []
    return done


def _package_of(dist: Path, python: str) -> Path:
    found = sorted(dist.glob(f"assay_*+py{python.replace('.', '')}_{_architecture()}.deb"))
    if not found:
        raise click.ClickException(f"{dist} has no package for Python {python}: scripts/package deb makes it")
    return found[-1]


def _architecture() -> str:
    return subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()


def _locked() -> list[Path]:
    """The base, and what nobody can add to a package later: logins of every kind, fleets with agents."""
    return [ROOT / "requirements" / name for name in ("run.txt", "auth.txt")]


def _git(form: str) -> str:
    return subprocess.check_output(["git", "log", "-1", f"--format={form}"], cwd=ROOT, text=True).strip()


if __name__ == "__main__":
    package(prog_name="scripts/package")
