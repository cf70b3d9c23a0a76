"""Writes the options file of a private server: its paths, the lab's presets, the study's variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.design.folder import Scalar
from assay.design.study import option_lines, option_text, switch_value
from assay.system.server.release.build import Build
from assay.system.server.variables.translate import NAMED_SWITCHES, TranslatedVariable


def options_text(build: Build, *, places: Mapping[str, str], variables: Sequence[TranslatedVariable]) -> str:
    """Returns the whole options file. Presets that the study overrides are left out; the study's variables
    come last.
    """
    study = {setting.name for setting in variables}
    presets = [
        (f"{preset.name}={preset.value}" if preset.value is not None else preset.name, preset.why)
        for preset in build.flavour.presets_for(build.version)
        if preset.name not in study and (preset.unless is None or preset.unless not in study)
    ]
    set_before = [f"{name}={value}" for name, value in build.environment.items()]
    lines = [
        f"# Options of a private {build.flavour.title} {build.version_number}, written by assay.",
        "# The server reads this file and no other. To repeat the run by hand, change the places and start",
        "#   " + " ".join([*set_before, *build.command, "--defaults-file=THIS_FILE"]),
        "[mysqld]",
        "",
        "# places",
        *(f"{name}={value}" for name, value in {**build.placement, **places}.items()),
        "",
        "# presets of the lab",
        *(f"{line}  # {why}" for line, why in presets),
        "",
        "# variables of the study",
        *(_line(setting) for setting in variables),
    ]
    return "\n".join(lines) + "\n"


def binlog_name(value: Scalar | None) -> str:
    """Returns the base name of the binary log's files, from the value of log_bin, which may be only a
    switch.
    """
    name = "" if value is None else Path(option_text(value)).name
    return "binlog" if name.lower() in ("", "on", "1", "true") else name


def write_options(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _line(setting: TranslatedVariable) -> str:
    line = (
        setting.name
        if setting.is_bare
        else f"{setting.name}={option_lines.written_value(option_text(setting.value))}"
    )
    if setting.name in NAMED_SWITCHES and switch_value(setting.value) is False:
        line = f"skip_{setting.name}"  # the option itself takes a file name: OFF would be one
    return f"{line}  # {setting.note}" if setting.note else line
