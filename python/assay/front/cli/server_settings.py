"""Reads `--var NAME=VALUE` of `assay server start` and `assay bench --server`."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.decoding import whole_number
from assay.base.errors import InputError
from assay.base.printable import shortened
from assay.design.study import Scalar, check_variable, check_variable_name


def parse_settings(settings: Sequence[str]) -> dict[str, Scalar]:
    """Returns `NAME=VALUE` texts as variables. Raises InputError for what a study would refuse too."""
    variables: dict[str, Scalar] = {}
    for text in settings:
        name, equals, value = text.partition("=")
        shown = shortened(text, 80)
        if not equals:
            raise InputError(f'--var {shown}: expected NAME=VALUE, as in "innodb_io_capacity=2000"')
        try:
            check_variable_name(name)
            variables[name] = check_variable(value if (number := whole_number(value)) is None else number)
        except ValueError as error:
            raise InputError(f"--var {shown}: {error}") from None
    return variables
