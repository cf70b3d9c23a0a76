"""A follow-up study crosses a pair of treatments with the interventions that its evidence suggests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from assay.base.errors import HostError, InputError
from assay.design.plan import make_treatments
from assay.design.study import derive, read_back
from assay.experiments.cause import Evidence, Intervention, candidates, pair_of, resource_ids, rules
from assay.experiments.cause.follow_up import crossed, runnable
from assay.experiments.cause.pair import Pair
from assay.experiments.cause.plan_cause import study_of_plans
from assay.experiments.cause.plan_changes import PlanChange
from assay.experiments.cause.resources import changed_resources, study_of_resources
from assay.experiments.lab import judged
from assay.reporting.report import load_words
from assay.system.host import own_limits
from assay.system.server import PrivateDir
from assay.testing.results_folder import STUDY_TOML, Truth, make_results

POOL, FLUSH = "server.variables.innodb_buffer_pool_size", "server.variables.innodb_flush_log_at_trx_commit"
REPORTED = {"innodb_buffer_pool_size": 1 << 30, "innodb_flush_log_at_trx_commit": 2, "sync_binlog": 0}
SLOW = "innodb_purge_threads=4"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    path = tmp_path_factory.mktemp("cause") / "results"
    both = {"innodb_purge_threads=1": REPORTED, SLOW: REPORTED}
    toml = STUDY_TOML.replace("threads = [1, 8, 64]", "threads = [1, 8]").partition("[[hypothesis]]")[0]
    folder = make_results(
        path, study_toml=toml, effect=0.9, loads=(1, 8), reported=both, truth=Truth(measure_s=4, warmup_s=1)
    )
    with judged(folder) as found:
        return pair_of(found)


def line(group: str, weight: float = 1.0, *, certain: bool = True) -> Evidence:
    return Evidence("ledger", f"time: {group}", group, "", weight, certain, "+5 µs")


def test_the_pair_is_the_one_that_differs_for_certain(pair: Pair) -> None:
    assert (pair.first.name, pair.second.name, pair.measure) == ("innodb_purge_threads=1", SLOW, "tps")
    assert pair.comparison is not None
    assert pair.comparison.word == "worse"
    assert pair.differs_in == {"server.variables.innodb_purge_threads"}


def test_evidence_suggests_interventions_the_best_supported_first(pair: Pair) -> None:
    seen = [
        line("data-reads", 0.3),
        line("row-locks", 0.6),
        line("commit", 0.9),
        line("protocol", certain=False),
    ]
    made, unfit = candidates(pair, seen)
    assert [one.id for one in made][:2] == ["processors", "pool"] or [one.id for one in made] == ["pool"]
    assert next(one for one in made if one.id == "pool").after == {POOL: 2 << 30}
    why = {one.id: one.why for one in unfit}
    assert why["commits"] == "innodb_flush_log_at_trx_commit is 2 already"
    assert why["socket"] == "client is socket already"
    (named,), _ = candidates(pair, (), ["pool"])
    assert named.settings == f"innodb_buffer_pool_size = {2 << 30}"


def test_a_delay_is_added_to_the_one_that_a_treatment_has(pair: Pair) -> None:
    slow = replace(pair.second, planned=replace(pair.second.planned, given={"server.sync_delay_ms": 2.0}))
    for side, before in ((pair.second, 0.0), (slow, 2.0)):
        (changed,), _ = changed_resources(side, ["syncs"])
        assert (changed.before, changed.after, changed.amount) == (before, before + 0.05, None)


def test_what_the_treatments_differ_in_is_no_intervention(pair: Pair) -> None:
    apart = Pair(pair.study, pair.first, pair.second, "tps", 8, None)
    object.__setattr__(apart, "differs_in", frozenset({POOL}))
    _, unfit = candidates(apart, [line("data-reads")])
    assert [one.why for one in unfit] == ["the treatments differ in innodb_buffer_pool_size themselves"]


def test_the_study_has_each_treatment_with_each_intervention(pair: Pair, tmp_path: Path) -> None:
    made = [
        Intervention("pool", {POOL: 1 << 30}, {POOL: 2 << 30}),
        Intervention(
            "sorts", {"server.variables.sort_buffer_size": 100}, {"server.variables.sort_buffer_size": 200}
        ),
    ]
    study, _ = read_back(crossed(pair, made, 7), tmp_path / "study.toml")
    assert (study.design.blocks, study.load.rungs, study.hypotheses) == (
        7,
        (8.0,) if pair.load == 8 else (1.0,),
        (),
    )
    planned = {one.name: one.variables for one in make_treatments(study)}
    assert len(planned) == 6
    both = planned["innodb_purge_threads=4, intervention=sorts"]
    assert both["innodb_purge_threads"] == 4
    assert (both["innodb_buffer_pool_size"], both["sort_buffer_size"]) == (1 << 30, 200)
    assert planned["innodb_purge_threads=1, intervention=none"]["sort_buffer_size"] == 100
    assert "innodb_buffer_pool_size" not in study.server.variables


def test_treatments_that_differ_in_several_factors_are_one_factor(pair: Pair) -> None:
    more = pair.study.factors[0].model_copy(
        update={"name": "server.variables.innodb_io_capacity", "levels": (100, 200)}
    )
    study = pair.study.model_copy(update={"factors": (*pair.study.factors, more)})
    one, other = (
        dict(zip((of.name for of in study.factors), levels, strict=True))
        for levels in (("1", "100"), ("4", "200"))
    )
    left, both = derive.of_pair(study, one, other)
    assert left.factors == study.factors
    assert [both.settings(level) for level in both.levels] == [
        {"server.variables.innodb_purge_threads": 1, more.name: 100},
        {"server.variables.innodb_purge_threads": 4, more.name: 200},
    ]
    tied = both.model_copy(update={"levels": ("a", "b"), "values": ((1, 100), (1, 200))})
    left, single = derive.of_pair(
        study.model_copy(update={"factors": (tied,)}), {"treatment": "a"}, {"treatment": "b"}
    )
    assert (single.keys, single.values) == ((more.name,), ((100,), (200,)))
    bare = tied.model_copy(update={"values": ((1, None), (1, 200))})
    _, kept = derive.of_pair(
        study.model_copy(update={"factors": (bare,)}), {"treatment": "a"}, {"treatment": "b"}
    )
    assert next(kept.settings(level) for level in kept.levels) == {"server.variables.innodb_purge_threads": 1}
    assert left.server.variables["innodb_purge_threads"] == 1
    left, single = derive.of_pair(study, one, {**one, more.name: "200"})
    assert left.server.variables["innodb_purge_threads"] == 1
    assert single.levels == (100, 200)
    with pytest.raises(InputError, match="equal"):
        derive.of_pair(study, one, one)


def test_a_set_of_settings_is_measured_on_the_second_treatment_alone(pair: Pair, tmp_path: Path) -> None:
    sets = [(PlanChange("flag", "mrr", "on"),), (PlanChange("variable", "innodb_buffer_pool_size", 99),)]
    study, _ = read_back(study_of_plans(pair, sets, 6), tmp_path / "study.toml")
    planned = {one.name: one.variables for one in make_treatments(study)}
    purge = {name: variables["innodb_purge_threads"] for name, variables in planned.items()}
    assert purge == {"plan=first": 1, "plan=second": 4, "plan=set-1": 4, "plan=set-2": 4}
    assert [one.get("optimizer_switch") for one in planned.values()] == [None, None, "mrr=on", None]
    pools = [one["innodb_buffer_pool_size"] for one in planned.values()]
    assert pools == ["1G", "1G", "1G", 99]


def test_what_cannot_run_is_left_out_with_its_reason() -> None:
    pool, cpus, sorts = (Intervention(name, {name: 1}, {name: 2}) for name in ("pool", "cpus", "sorts"))
    why = InputError("server.cpus: the machine has two", hint="give one of 0, 1")

    def refusal(some: Sequence[Intervention]) -> InputError | None:
        return why if cpus in some else None

    kept, refused = runnable((pool, cpus, sorts), refusal)
    assert kept == [pool, sorts]
    assert [(one.intervention, one.why, one.hint) for one in refused] == [(cpus, why.message, why.hint)]
    assert runnable((pool, sorts), refusal) == ((pool, sorts), ())
    together = InputError("both need the same core")
    for some, of in (((cpus,), refusal), ((pool, sorts), lambda some: together if len(some) > 1 else None)):
        with pytest.raises(InputError):
            runnable(some, of)


def test_resources_that_nobody_set_are_changed_from_what_a_server_has(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    processors = len(own_limits().usable)
    monkeypatch.setattr(PrivateDir, "quota_group", lambda self, amount: amount)
    found, _ = changed_resources(pair.second, ["processors", "syncs"])
    by = {one.id: (one.key, one.before, one.after, one.amount) for one in found}
    assert by["processors"] == ("server.cpu_quota", processors, round(0.8 * processors, 2), 0.8)
    assert by["syncs"] == ("server.sync_delay_ms", 0.0, 0.05, None)
    made = study_of_resources(pair.study, pair.second, 8, found, 6)
    study, _ = read_back(made, tmp_path / "study.toml")
    planned = [one.given for one in make_treatments(study)]
    assert [one["server.sync_delay_ms"] for one in planned] == [0.0, 0.0, 0.05]
    assert {one["server.cpu_quota"] for one in planned} == {processors, round(0.8 * processors, 2)}

    def refused(self: PrivateDir, amount: float) -> None:
        raise HostError("no groups")

    monkeypatch.setattr(PrivateDir, "quota_group", refused)
    found, fixed = changed_resources(pair.second, ["processors"])
    assert [one.key for one in found] == ["server.cpus"] * (processors > 1)
    assert [one.why for one in fixed] == ["the server has one processor"] * (processors == 1)


def test_every_rule_and_resource_has_a_phrase() -> None:
    words = load_words("en")
    assert all(words.get(f"cause.when.{rule.id}", "") for rule in rules())
    assert all(words.get(f"bottleneck.resource.{name}", "") for name in resource_ids())
