"""Checks a job that a coordinator sends to an agent: what it may run there, and its passwords."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assay.base.errors import InputError

_SCRIPT = "lua:"
_PASSWORD = "password_env"
_OWN = "ASSAY_FLEET_PASSWORD_"


def checked_job(job: str, env: Mapping[str, str], *, scripts: bool) -> tuple[bytes, dict[str, str]]:
    """Returns a job and the variables of its engine, whose names are this agent's own: a coordinator says the
    values of passwords, and no variable that a program or its loader obeys.

    Raises `InputError` for a job that is none, for a script where there may be none, and for a variable that
    is no password of the job.
    """
    try:
        read = json.loads(job)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise InputError("the job is no JSON object")
    if not scripts and has_script(read):
        raise InputError("this agent runs no scripts", hint="start it with --scripts")
    variables: dict[str, str] = {}
    named: set[str] = set()
    for number, holder in enumerate(_holders(read)):
        name = holder[_PASSWORD]
        named.add(name)
        if name in env:
            holder[_PASSWORD] = f"{_OWN}{number}"
            variables[holder[_PASSWORD]] = env[name]
    if foreign := sorted(set(env) - named):
        raise InputError(f"the job names no password in {foreign[0]}, so this agent does not set it")
    return json.dumps(read).encode(), variables


def has_script(order: Any) -> bool:
    """Returns whether a job, or anything in an order, has a script as its workload."""
    for one in _objects(order):
        named = (one.get("name"), one.get("workload"), one.get("use"))
        if "script" in one and one["script"] is not None:
            return True
        if any(isinstance(name, str) and name.startswith(_SCRIPT) for name in named):
            return True
    return False


def _holders(job: Any) -> Iterator[dict[str, Any]]:
    for one in _objects(job):
        if isinstance(one.get(_PASSWORD), str):
            yield one


def _objects(whole: Any) -> Iterator[dict[str, Any]]:
    waiting = [whole]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
