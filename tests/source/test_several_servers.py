"""What several servers of a study refuse is said at once."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from assay.base.errors import AssayError, HostError, InputError, ServerError
from assay.measurement.source.sources import Sources


class Refusing:
    """A source that refuses, or not, and notes whether it might have started something."""

    def __init__(self, error: AssayError | None = None) -> None:
        self.error = error
        self.tried: list[bool] = []

    def check(self, treatments: object, budget: object, *, trying: bool, trials: object) -> None:
        self.tried.append(trying or trials is not None)
        if self.error is not None:
            raise self.error


def checked(*sources: Refusing) -> AssayError:
    named = {f"server {number}": one for number, one in enumerate(sources)}
    treatments = [SimpleNamespace(server_use=use) for use in named]
    with pytest.raises(AssayError) as refused:
        Sources(named).check(treatments, trials=object())
    return refused.value


def test_every_refusal_is_named_and_nothing_is_started_after_the_first() -> None:
    sources = [
        Refusing(ServerError("MySQL 8.0: variable query_cache_size: gone", hint="one")),
        Refusing(),
        Refusing(ServerError("MariaDB 10.11: variable innodb_redo_log_capacity: unknown", detail="  both")),
    ]
    error = checked(*sources)
    assert type(error) is ServerError
    for said in ("query_cache_size", "innodb_redo_log_capacity", "  both"):
        assert said in f"{error.detail}"
    assert "(and 1 more of the servers)" in error.message
    assert "[factor.settings]" in f"{error.hint}"
    assert [one.tried for one in sources] == [[True], [False], [False]]


def test_a_study_of_one_server_is_told_nothing_of_others() -> None:
    only = InputError("a.toml: no", hint="write yes")
    assert checked(Refusing(only)) is only


def test_what_only_the_machine_lacks_ends_the_check() -> None:
    later = Refusing()
    assert checked(Refusing(HostError("no room")), later).exit_code == HostError.exit_code
    assert later.tried == []
