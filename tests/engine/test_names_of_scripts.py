"""A script whose name is no text is told, by every verb that asks the engine about it."""

from __future__ import annotations

import pytest
from assay.base.errors import InputError
from assay.design.plan import Script
from assay.system.engine import script_listing


def test_a_name_that_is_not_utf8_is_an_error_in_one_sentence() -> None:
    with pytest.raises(InputError, match=r"^lua:.udcff\.lua: the name or the text of a script is not UTF-8$"):
        script_listing("lua:\udcff.lua", Script("function event() end", {}, 1))
