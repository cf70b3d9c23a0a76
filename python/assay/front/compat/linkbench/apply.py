"""Applies the options of `assay bench linkbench`: the original's properties, text and CSV files."""

from __future__ import annotations

from typing import Any

import click

from assay.base.errors import InputError
from assay.experiments.bench import Bench
from assay.front.compat.linkbench import (
    CsvStats,
    CsvStream,
    Property,
    Settings,
    TextSettings,
    ToolText,
    general_options,
    max_failed,
    read_settings,
    whole,
)
from assay.front.compat.linkbench.tool_text import PROGRESS
from assay.front.compat.linkbench.translate import SEEDS
from assay.front.compat.options import Options, ParsedCommand, say_text
from assay.front.terminal import say
from assay.system.engine import workload_catalogue

TEXT = "linkbench"
OVERRIDE = "-D"


def settle(asked: ParsedCommand, own: Options, general: Options) -> None:
    """Fills in what the command line left out from the properties, then sets text and files."""
    overrides = [_override(text) for text in asked.tool["overrides"]]
    settings = read_settings(asked.tool["config"], overrides, own)
    for remark in settings.remarks:
        say(f"! {remark}", err=True)
    for name, one in settings.options.items():
        asked.own.setdefault(name, _value(own[name], one))
    threads = asked.general["threads"] if "threads" in asked.given else None
    for name, one in general_options(settings, asked.action, threads).items():
        if name not in asked.given:
            asked.general[name] = _value(general[name], one)
    if asked.action == "run" and "on_error" not in asked.given:
        asked.general["max_failed"] = max_failed(settings, asked.general["threads"])
        if asked.general["max_failed"] is not None:
            _look_often(asked)  # a limit that is looked at every five minutes is none
    _password(asked, settings)
    _files(asked, settings)
    if asked.in_place_of_our_text(TEXT) and asked.action in SEEDS:
        _look_often(asked)
        seed_chosen = asked.general["seed"] is not None
        asked.text = lambda bench: ToolText(_text_settings(bench, settings, seed_chosen), say_text)


def _override(text: str) -> Property:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise InputError(f"{OVERRIDE} {text}: expected KEY=VALUE")
    return Property(key.strip(), value, f"{OVERRIDE} {key.strip()}")


def _value(option: click.Option, one: Property) -> Any:
    """Returns the property's value as the command line would read it."""
    try:
        return option.type_cast_value(click.get_current_context(), one.value.strip())
    except click.BadParameter as bad:
        raise InputError(f"{one.place}: {one.key}: {bad.message}") from None


def _password(asked: ParsedCommand, settings: Settings) -> None:
    """Takes the file's password where neither the environment nor the command line has one."""
    one = settings.general.get("password")
    if one is not None and not asked.general["ask_password"]:
        asked.password, asked.password_told = one.value, one.place.startswith(OVERRIDE)
        asked.password_hint = f"check user and password; the password is that of {one.place}"
        if not asked.password_told:
            asked.password_hint += f" (password): correct it there, or give {OVERRIDE} user=… and password=…"


def _files(asked: ParsedCommand, settings: Settings) -> None:
    stats, stream = asked.tool["csvstats"], asked.tool["csvstream"]
    for name, path in (("csvstats", stats), ("csvstream", stream)):
        if path is not None and asked.action != "run":
            raise InputError(f"--{name} needs the action run, not {asked.action}")
    if stats is not None:
        asked.files.append(lambda bench: CsvStats(stats))
    if stream is not None:
        every = _every_s(asked, settings)
        asked.files.append(lambda bench: CsvStream(stream, every))


def _every_s(asked: ParsedCommand, settings: Settings) -> int:
    """Returns the seconds of a row of the stream, from the command line or else from the files."""
    said = settings.tool.get("displayfreq")
    if said is None or "report_interval" in asked.given:
        every = max(int(asked.general["report_interval"]), 1)
    else:
        every = max(whole(said), 1)
    _look_often(asked)
    return every


def _look_often(asked: ParsedCommand) -> None:
    """Sets the interval to a second unless given, since it must divide the steps of the original's lines and
    rows.
    """
    if "report_interval" not in asked.given:
        asked.general["report_interval"] = 1


def _nodes(given: dict[str, Any]) -> int:
    """Returns the number of nodes that a load makes: the ids from startid1 up to maxid1, given or by
    default.
    """
    schema = next(entry for entry in workload_catalogue() if entry["name"] == "linkbench")["options"]
    first, end = (
        int(given.get(name, schema["properties"][name]["default"])) for name in ("startid1", "maxid1")
    )
    return end - first


def _text_settings(bench: Bench, settings: Settings, seed_chosen: bool) -> TextSettings:
    progress = settings.tool.get("req_progress_interval")
    return TextSettings(
        files=settings.files,
        seed_key=SEEDS[bench.action],
        seed=bench.seed,
        seed_chosen=seed_chosen,
        connections=bench.threads,
        events=bench.events,
        time_s=bench.time,
        progress=PROGRESS if progress is None else max(whole(progress), 1),
        nodes=_nodes(bench.options),
    )
