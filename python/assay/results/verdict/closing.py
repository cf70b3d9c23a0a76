"""The reasons for which a person closes a finding, such as a change in a history or the alarm of a gate."""

from __future__ import annotations

from typing import Literal, get_args

from assay.base.errors import InputError
from assay.design.study import did_you_mean

Closing = Literal["justified", "false-alarm", "fixed-elsewhere", "later", "reverted"]
CLOSINGS: tuple[Closing, ...] = get_args(Closing)
"""The reason why nothing more is to be done: the finding is wanted, it is none, another change mended it, a
named issue has it, or the build was taken back.
"""


def closing_of(how: str, reason: str, what: str) -> Closing:
    """Returns one of `CLOSINGS`. `what` is closed: `a change`, `an alarm`.

    Raises InputError for another word, and for a closing without a reason.
    """
    if how not in CLOSINGS:
        raise InputError(
            f"{how} is not a way to close {what}{did_you_mean(how, CLOSINGS)}",
            hint=f"there are {', '.join(CLOSINGS)}",
        )
    if not reason.strip():
        raise InputError(
            f"{what} that is closed as {how} needs a reason", hint="say what was done, or name the issue"
        )
    return how
