"""Translates the keys that every benchmark has in some form into general options of `assay bench`."""

from __future__ import annotations

from assay.base.errors import InputError
from assay.front.compat.linkbench.properties import Property
from assay.front.compat.linkbench.settings import Settings

SEEDS = {"run": "request_random_seed", "prepare": "load_random_seed"}
"""Key of the seed, by action."""

_PLACE = {"host": "host", "port": "port", "user": "user", "dbid": "db"}
_THREADS = {"run": "requesters", "prepare": "loaders"}
_RUN = {"maxtime": "time", "progressfreq": "report_interval"}


def general_options(settings: Settings, action: str, threads: int | None) -> dict[str, Property]:
    """Returns the command's parameters as text, each with its place in the files; absent keys are left out.

    `threads` is the number of requesters on the command line, if given: requests and rates are per requester.
    Raises InputError for a value that is no number.
    """
    said = settings.general
    found = {ours: said[key] for key, ours in _PLACE.items() if key in said}
    if action in _THREADS and _THREADS[action] in said:
        found["threads"] = said[_THREADS[action]]
    if action in SEEDS and SEEDS[action] in said:
        # A long of Java's may be negative; ours counts from 0.
        found["seed"] = _with(said[SEEDS[action]], whole(said[SEEDS[action]]) % 2**64)
    if action != "run":
        return found
    found |= {ours: said[key] for key, ours in _RUN.items() if key in said}
    if threads is None:
        threads = whole(found["threads"]) if "threads" in found else 1
    for key, ours in (("requests", "events"), ("requestrate", "rate")):
        if key in said:
            found[ours] = _with(said[key], max(whole(said[key]), 0) * threads)
    if "warmup_time" in said:
        found["warmup"] = _with(said["warmup_time"], max(whole(said["warmup_time"]), 0))
    if "max_failed_requests" in said:
        one = said["max_failed_requests"]
        found["on_error"] = _with(one, "stop" if whole(one) == 0 else "count")
    return found


def max_failed(settings: Settings, threads: int) -> int | None:
    """Returns how many transactions may fail until the run ends; the number in the files is per requester."""
    one = settings.general.get("max_failed_requests")
    return None if one is None or whole(one) < 0 else whole(one) * threads


def whole(one: Property) -> int:
    """Returns a property's value as a whole number. Raises InputError when it is none."""
    try:
        return int(one.value.strip())
    except ValueError:
        raise InputError(f"{one.place}: {one.key} is {one.value!r}, which is not a whole number") from None


def _with(one: Property, value: int | str) -> Property:
    return Property(one.key, str(value), one.place)
