"""Says what the lab is doing in the page's language."""

from __future__ import annotations

import re

from assay.reporting.report import Words

_LOAD = re.compile(r"(threads|rate|iodepth) (\S+)")
_HOST = re.compile(r"([^\s:]+): (.+)")
_DATASET = re.compile(r"loading the dataset (.+)")
_SIZE = re.compile(r"(\S+): about (\S+) rows, at most (.+)")
_SCRIPT = re.compile(r"(\S+): as large as its script makes it")
_TRIAL = re.compile(r"starting (.+) (\S+) on trial for (.+)")
_LOGIN = re.compile(r"logging in to (.+) as the load does")
_SAMPLES = re.compile(r"the account at (.+) may not (.+), which are not recorded: (.+)")
_TURN = re.compile(r"(.+) \(load (\d+)\)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_GIVEN = re.compile(r"[a-z' ]+")


def step_words(step: str, words: Words) -> str:
    """Returns a step of the lab in words; as the lab said it where there are none.

    The key of a step is its text with hyphens and without numbers, which its phrase has as `{a}` and `{b}`.
    A step of a host of a fleet has the host before it.
    """
    if found := _HOST.fullmatch(step):
        return f"{found[1]}: {step_words(found[2], words)}"
    if found := _LOAD.fullmatch(step):
        return load_words(found[1], float(found[2]), words)
    if found := _DATASET.fullmatch(step):
        return words("web.live.step.loading-the-dataset", dataset=_dataset_words(found[1], words))
    if found := _TRIAL.fullmatch(step):
        return words("web.live.step.on-trial", server=found[1], version=found[2], treatment=found[3])
    if found := _LOGIN.fullmatch(step):
        return words("web.live.step.logging-in", server=found[1])
    if found := _SAMPLES.fullmatch(step):
        return words("web.live.step.samples", server=found[1], what=found[2], grant=found[3])
    text, figures = _NUMBER.sub("", step), _NUMBER.findall(step)
    if not _GIVEN.fullmatch(text.lower()):
        return step
    phrase = words.get(f"web.live.step.{re.sub(r'[^a-z]+', '-', text.lower()).strip('-')}", "")
    return phrase.format(**dict(zip("ab", figures, strict=False))) if phrase else step


def is_load(step: str) -> bool:
    """Returns whether a step is a load point, which also lasts while its load begins and ends."""
    return bool(_LOAD.fullmatch(step) or ((found := _HOST.fullmatch(step)) and is_load(found[2])))


def _dataset_words(told: str, words: Words) -> str:
    """Returns a dataset with its size in words, and which of its loads it is."""
    if found := _TURN.fullmatch(told):
        return words("web.live.step.load-of-dataset", dataset=_dataset_words(found[1], words), load=found[2])
    if found := _SIZE.fullmatch(told):
        return words("web.live.step.dataset-size", dataset=found[1], rows=found[2], size=found[3])
    if found := _SCRIPT.fullmatch(told):
        return words("web.live.step.dataset-of-a-script", dataset=found[1])
    return told


def load_words(kind: str, load: float, words: Words) -> str:
    """Returns a load point in words."""
    named = kind if kind in ("threads", "rate", "iodepth") else "threads"
    return words.load(load, named)  # type: ignore[arg-type]
