"""What tests of Assay, and of extensions to it, are made of: builders of what runs leave, and contract tests.

`builders` makes one thing each with sensible values for all that a test does not care about; `results_folder`
writes whole results with a known truth in them; `planted` has results that make a claim true, false or open;
`contracts` has a class of tests for each kind of thing that can be added. Nothing of the package
imports this room.
"""

from assay.testing.builders import histogram, interval, kind_tally, label_times, run_result, treatment

__all__ = ["histogram", "interval", "kind_tally", "label_times", "run_result", "treatment"]
