"""Writes the completions of the command `assay` for shells."""

from __future__ import annotations

from collections.abc import Mapping

from assay.front.cli.group import assay
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

PLACES: Mapping[type[ShellComplete], str] = {
    BashComplete: "usr/share/bash-completion/completions/assay",
    ZshComplete: "usr/share/zsh/vendor-completions/_assay",
    FishComplete: "usr/share/fish/vendor_completions.d/assay.fish",
}
"""The file that each shell reads by itself."""


def completions() -> dict[str, str]:
    """Returns the text of each shell's file, by its place beneath `/`."""
    # Bash's own method asks the bash of this machine for its version, which is not that of the reader.
    return {
        place: ShellComplete.source(shell(assay, {}, "assay", "_ASSAY_COMPLETE")).lstrip()
        for shell, place in PLACES.items()
    }
