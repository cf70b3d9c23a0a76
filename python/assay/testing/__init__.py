"""Builders and contract tests for tests of Assay, and of extensions to it.

`builders` makes single records with defaults for everything a test does not care about; `results_folder`
writes whole results with a known truth in them; `planted` has results that make a claim true, false or
undecided; `contracts` has a class of tests for each kind of thing that can be added. No other room of the
package imports this one.
"""

from assay.testing.builders import histogram, interval, kind_tally, label_times, run_result, treatment

__all__ = ["histogram", "interval", "kind_tally", "label_times", "run_result", "treatment"]
