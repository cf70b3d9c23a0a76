"""The contract tests of every experiment, before it is carried out."""

from __future__ import annotations

import inspect
import re

from assay.design.study.experiments import EXPERIMENTS
from assay.measurement.run import experiments
from assay.reporting.report.words import LANGUAGES, load_words


class ExperimentContract:
    """Tests of an experiment. Fixture: `name`, the experiment's name in a study file."""

    def test_it_can_be_named_and_carried_out(self, name: str) -> None:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert name in EXPERIMENTS, "it has no entry in assay.design.study.experiments"
        assert len(inspect.signature(experiments.EXPERIMENTS[name]).parameters) == 1

    def test_its_defaults_are_allowed(self, name: str) -> None:
        for option, entry in EXPERIMENTS[name].options.items():
            assert re.fullmatch(r"[a-z][a-z0-9_]*", option)
            assert entry.help, option
            assert not entry.choices or entry.default in entry.choices, option
            if isinstance(entry.default, int | float) and not isinstance(entry.default, bool):
                assert entry.default >= entry.least, option

    def test_what_it_says_of_its_options_is_there(self, name: str) -> None:
        experiment = EXPERIMENTS[name]
        assert {experiment.restarts_for, experiment.holds} - {""} <= experiment.options.keys()
        if experiment.replicated:
            assert {"replicas", "mode", "positions"} <= experiment.options.keys()

    def test_its_measures_have_units_and_words_in_every_language(self, name: str) -> None:
        experiment = EXPERIMENTS[name]
        assert experiment.summary
        assert experiment.measures, "an experiment that gives no number"
        for measure, entry in experiment.measures.items():
            assert re.fullmatch(r"[a-z][a-z0-9_]*", measure)
            assert entry.help, measure
            for language in LANGUAGES:
                assert load_words(language)(f"measure.{measure}"), measure
