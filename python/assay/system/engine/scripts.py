"""Asks the engine what a script has: its options, whether it makes tables, and its identity."""

from __future__ import annotations

import hashlib
import json
import resource
import signal
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from assay.base.errors import HostError, InputError
from assay.base.format.job import WorkloadChoice
from assay.base.printable import line, shortened
from assay.design.folder import Scalar
from assay.design.plan import Plan, Script, Treatment, place_of
from assay.design.study import SQL, WORKLOAD, StudyText
from assay.system.engine.binary import NAME, find_engine, workload_catalogue
from assay.system.engine.jobs import script_choice
from assay.system.server import may_read_scripts, may_run_scripts

SHAPES = "x-shapes"
"""Key in the schema of an option; its value "load" says that the option shapes only the statements sent."""
UNREAD = "unread"
"""Key in the listing of a script of which nothing is known but its texts: why, or where and what it needs."""
_LOADS_S = 60.0
"""Seconds within which the text of a script must have run, which only declares things."""
_COMPUTES_S = 4
"""Seconds of processor time that it may take; a text of 10 MB takes less than one."""
_MOST_OPTIONS = 10_000
_LONGEST = 2000
"""Characters of a message that a script raises."""
_OF_SCRIPT = "script: "
"""What the engine's message about a script begins with."""


def script_listing(
    workload: str, script: Script, options: Mapping[str, Scalar] | None = None
) -> Mapping[str, Any]:
    """Returns what the catalogue of workloads says of a workload, for a script.

    What a file of statements has depends on its `options`, without which it has those of their defaults.
    Beside that it has `prepares`, whether the script makes tables, and `identity`, a SHA-256 of all its
    texts. The script is read without anything with which it could act. One that needs such a thing to
    declare something has it only where scripts may run; elsewhere, and where none may even be read, its
    listing takes any option and says under `unread` why.

    Raises InputError, which has the script's own file and line, for a script that does not load.
    """
    given = dict(options or {}) if workload.startswith(SQL) else {}
    choice = WorkloadChoice(name=workload, options=given, script=script_choice(script))
    try:
        encoded = msgspec.json.encode(choice, order="deterministic")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{line(workload)}: the name or the text of a script is not UTF-8",
            hint="give the file another name",
        ) from error
    if script.source is None or may_read_scripts():
        listing = _listing(find_engine(), encoded)
        if UNREAD in listing and may_run_scripts():
            return _listing(find_engine(), encoded, "--may-act")
        return listing
    return {
        "name": workload,
        "kinds": [],
        "measures": [],
        "conditions": False,
        "ledger": False,
        "options": {"type": "object", "properties": {}, "additionalProperties": True},
        "prepares": "prepare" in script.source,
        "identity": hashlib.sha256(encoded).hexdigest(),
        UNREAD: "no script is read here",
    }


def script_listings(plan: Plan, source: StudyText) -> list[Mapping[str, Any]]:
    """Returns the listing of each script of a plan. Raises InputError, which names the study's line, for a
    script that does not load.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for treatment in plan.treatments:
        if treatment.script is not None and treatment.workload not in found:
            found[treatment.workload] = _said(treatment, source)
    return list(found.values())


def check_statements(plan: Plan, source: StudyText) -> None:
    """Raises InputError, which names the study's line, for a file of statements that is wrong with the
    options of one treatment alone. They are known to be options of the file.
    """
    for treatment in plan.treatments:
        if treatment.script is not None and treatment.workload.startswith(SQL):
            _said(treatment, source, treatment.workload_options)


def _said(
    treatment: Treatment, source: StudyText, options: Mapping[str, Scalar] | None = None
) -> Mapping[str, Any]:
    assert treatment.script is not None, "the caller asks about scripts"
    try:
        return script_listing(treatment.workload, treatment.script, options)
    except InputError as error:
        whose = f" (with {treatment.name})" if options else ""
        raise source.error(
            place_of(treatment, WORKLOAD), f"workload.use: {error.message}{whose}", hint=error.hint
        ) from error


def has_conditions(workload: str, script: Script | None) -> bool:
    """Returns whether a workload has conditions that its load must not break: a script has those that its
    command `check` looks at.
    """
    if script is not None:
        return bool(script_listing(workload, script)["conditions"])
    return any(entry["conditions"] for entry in workload_catalogue() if entry["name"] == workload)


def script_load_only(workload: str, script: Script) -> frozenset[str]:
    """Returns the options of a script that shape only the statements sent, as far as it says so."""
    properties = script_listing(workload, script)["options"]["properties"]
    return frozenset(name for name, schema in properties.items() if schema.get(SHAPES) == "load")


def script_shaping(workload: str, script: Script, options: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Returns what shapes the rows of a script: options that are given, and the identity of its texts."""
    sent = script_load_only(workload, script)
    shapes = {name: value for name, value in options.items() if name not in sent}
    return shapes | {"script": str(script_listing(workload, script, options)["identity"])}


@lru_cache
def _listing(engine: Path, choice: bytes, *options: str) -> Mapping[str, Any]:
    code, answer, errors = _answer([str(engine), "script", *options, "-"], choice)
    if code == 0:
        listing: Mapping[str, Any] = json.loads(answer)
        if (count := len(listing["options"]["properties"])) > _MOST_OPTIONS:
            raise InputError(f"the script declares {count:,} options, and may have {_MOST_OPTIONS:,}")
        return listing
    # What the script printed comes first.
    said = errors.decode(errors="replace").strip()
    if code < 0:
        raise InputError(
            f"{NAME} ended by signal {-code} while it loaded the script",
            hint="look at what the script does beside its functions, such as calls that go ever deeper",
        )
    if code != InputError.exit_code:
        raise HostError(f"{NAME} could not load the script", detail=said)
    message, _, hint = said.partition("\nhint: ")
    raise InputError(shortened(message.rpartition(_OF_SCRIPT)[2], _LONGEST), hint=hint or None)


def _answer(command: list[str], content: bytes) -> tuple[int, bytes, bytes]:
    """Returns the exit code of a command and what it printed.

    Its processor time has a limit: a busy machine takes none away from it. Raises InputError at the limit.
    """
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (_COMPUTES_S, _COMPUTES_S))
        try:
            answer, errors = process.communicate(content, timeout=_LOADS_S)
        except subprocess.TimeoutExpired:
            process.kill()
            limit = f"after {_LOADS_S:g} s"
        except BaseException:
            process.kill()
            raise
        else:
            if process.returncode not in (-signal.SIGXCPU, -signal.SIGKILL):
                return process.returncode, answer, errors
            limit = f"within {_COMPUTES_S} s of processor time"
    raise InputError(
        f"the script has not been loaded {limit}",
        hint="what a script measures belongs in its function event(), not beside its functions",
    )
