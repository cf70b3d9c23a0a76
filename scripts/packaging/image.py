"""Carries out a Containerfile in folders, and runs what it makes as a container engine would: read-only,
without capabilities, as the user that it names.

What the recipe says is what is tried: there is no second list of its steps. Other instructions are refused.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.packaging.chroot import Chroot, Ended

_RUN_S = 900.0
BaseImage = Callable[[str], Chroot]
"""Gives a fresh system for the name of a base image."""


@dataclass
class Image:
    """A stage of a recipe: its files, and how its command runs."""

    system: Chroot
    user: str = "0:0"
    folder: str = "/"
    volumes: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    entry: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def run(self, words: Sequence[str], volumes: Path, *, seconds: float) -> Ended:
        """Runs the image's command with `words`, without network, capabilities and writable folders but its
        volumes, which are beneath `volumes`, and /tmp.
        """
        lines = []
        for number, place in enumerate(self.volumes):
            outside = volumes / str(number)
            if not outside.is_dir():  # a new volume begins with what the image has there
                shutil.copytree(self.system.root / place.lstrip("/"), outside, symlinks=True)
                shutil.chown(outside, *(int(one) for one in self.user.split(":")))
            lines.append(f"mount --bind {shlex.quote(str(outside))} {{root}}{place}")
        mounts = "\n".join(
            ["mount -o remount,bind,ro {root}", *lines, "mount -t tmpfs -o mode=1777 tmp {root}/tmp"]
        )
        user, group = self.user.split(":")
        none = ("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--clear-groups")
        command = ["sh", "-c", 'cd "$0" && exec "$@"', self.folder, *self.entry, *(words or self.words)]
        system = Chroot(self.system.root, self.environment)
        who = (f"--reuid={user}", f"--regid={group}", *none)
        return system.run(command, seconds=seconds, mounts=mounts, privileges=who)


def instructions(recipe: str) -> Iterator[tuple[str, str]]:
    """Yields the instructions of a Containerfile, each with what follows it."""
    lines = "\n".join(line for line in recipe.splitlines() if not line.lstrip().startswith("#"))
    for line in re.sub(r"\\\n", " ", lines).splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            yield name.upper(), rest.strip()


def carry_out(recipe: str, context: Path, base: BaseImage, architecture: str) -> Image:
    """Returns the last stage of the recipe, whose COPY takes files from the folder `context`."""
    stages: dict[str, Image] = {}
    image: Image | None = None
    for name, rest in instructions(recipe):
        if name == "FROM":
            source, _, alias = rest.partition(" AS ")
            image = Image(base(source.strip()))
            stages[alias.strip() or str(len(stages))] = image
        elif image is None:
            raise ValueError(f"{name} stands before the first FROM")
        else:
            _apply(image, name, rest.replace("${TARGETARCH}", architecture), stages, context)
    if image is None:
        raise ValueError("the recipe has no FROM")
    return image


def _apply(image: Image, name: str, rest: str, stages: dict[str, Image], context: Path) -> None:
    match name:
        case "RUN":
            done = image.system.run(["sh", "-ec", rest], network=True, seconds=_RUN_S)
            if done.code:
                raise RuntimeError(f"RUN {rest} ended with {done.code}: {done.output[-500:]}")
        case "COPY":
            _copy(image, shlex.split(rest), stages, context)
        case "ENV":
            image.environment |= dict(word.split("=", 1) for word in shlex.split(rest))
        case "USER":
            image.user = rest
        case "WORKDIR":
            image.folder = rest
        case "VOLUME":
            image.volumes += shlex.split(rest)
        case "ENTRYPOINT":
            image.entry = json.loads(rest)
        case "CMD":
            image.words = json.loads(rest)
        case "LABEL" | "ARG":
            pass
        case _:
            raise ValueError(f"{name} is not an instruction that this check carries out")


def _copy(image: Image, words: list[str], stages: dict[str, Image], context: Path) -> None:
    *sources, target = [word for word in words if not word.startswith("--")]
    stage = next((word.partition("=")[2] for word in words if word.startswith("--from=")), None)
    base = stages[stage].system.root if stage is not None else context
    goal = image.system.root / target.lstrip("/")
    for source in sources:
        found = sorted(base.glob(source.strip("/")))
        if not found:
            raise FileNotFoundError(f"COPY {source}: {base} has no such file")
        for path in found:
            inside = f"{path}/." if path.is_dir() else str(path)
            subprocess.run(["cp", "-a", inside, str(goal)], check=True)
