"""Keeps what a build measured as a file, for gates of builds whose predecessor cannot be run beside them.

That is second best: nothing is paired, and what the machine did in the meantime counts as a difference of the
builds. So the file says where it was measured, and is refused elsewhere.
"""

from assay.experiments.gate.baseline.against import Ready, gate_against
from assay.experiments.gate.baseline.record import Baseline, read_baseline
from assay.experiments.gate.baseline.saving import accept, save

__all__ = ["Baseline", "Ready", "accept", "gate_against", "read_baseline", "save"]
