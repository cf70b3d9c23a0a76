"""The form of https://profiler.firefox.com: its "processed profile".

Source: https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md.
"""

from __future__ import annotations

import json
from typing import Any

from assay.base.version import VERSION
from assay.results.ledger.export.mean_profile import MeanProfile

_FORMAT = 48
"""The version of the processed form; the program converts older ones."""
_CATEGORIES = [{"name": "Server", "color": "blue", "subcategories": ["Other"]}]


def written(profile: MeanProfile) -> bytes:
    """Returns the profile with milliseconds of server CPU per 1,000 queries as weights.

    The stacks follow each other on a time line without a meaning: a mean has none.
    """
    texts: dict[str, int] = {}
    functions: dict[str, int] = {}
    stacks: dict[tuple[int | None, int], int] = {}
    leaves: list[int] = []
    for calls, _ in profile.stacks:
        prefix: int | None = None
        for name in calls:
            place = functions.setdefault(name, len(functions))
            prefix = stacks.setdefault((prefix, place), len(stacks))
        assert prefix is not None, "every stack has a thread"
        leaves.append(prefix)
    names = [texts.setdefault(name, len(texts)) for name in functions]
    weights = [amount for _, amount in profile.stacks]
    thread = {
        "name": profile.name,
        "isMainThread": True,
        "processType": "default",
        "processName": profile.name,
        "processStartupTime": 0,
        "processShutdownTime": None,
        "registerTime": 0,
        "unregisterTime": None,
        "pausedRanges": [],
        "pid": "0",
        "tid": 0,
        "samples": {
            "stack": leaves,
            "time": [float(place) for place in range(len(leaves))],
            "weight": weights,
            "weightType": "tracing-ms",
            "length": len(leaves),
        },
        "stackTable": _table(
            len(stacks),
            frame=[function for _, function in stacks],
            prefix=[prefix for prefix, _ in stacks],
            category=0,
            subcategory=0,
        ),
        "frameTable": _table(
            len(names),
            address=-1,
            inlineDepth=0,
            category=0,
            subcategory=0,
            func=list(range(len(names))),
            nativeSymbol=None,
            innerWindowID=0,
            implementation=None,
            line=None,
            column=None,
        ),
        "funcTable": _table(
            len(names),
            name=names,
            isJS=False,
            relevantForJS=False,
            resource=-1,
            fileName=None,
            lineNumber=None,
            columnNumber=None,
        ),
        "resourceTable": _table(0, lib=[], name=[], host=[], type=[]),
        "nativeSymbols": _table(0, libIndex=[], address=[], name=[], functionSize=[]),
        "markers": _table(0, data=[], name=[], startTime=[], endTime=[], phase=[], category=[]),
        "stringArray": list(texts),
    }
    meta = {
        "version": 27,
        "preprocessedProfileVersion": _FORMAT,
        "product": f"{profile.name}: server CPU of 1,000 queries",
        "interval": 1,
        "startTime": 0,
        "processType": 0,
        "stackwalk": 1,
        "debug": False,
        "categories": _CATEGORIES,
        "markerSchema": [],
        "importedFrom": f"assay {VERSION}",
        "symbolicated": True,
    }
    whole = {"meta": meta, "libs": [], "pages": [], "counters": [], "threads": [thread]}
    return json.dumps(whole, separators=(",", ":")).encode()


def _table(length: int, **columns: Any) -> dict[str, Any]:
    """Returns a table by columns; one value stands for a column that has it in every row."""
    rows = {name: one if isinstance(one, list) else [one] * length for name, one in columns.items()}
    return {**rows, "length": length}
