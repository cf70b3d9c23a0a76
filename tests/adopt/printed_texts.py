"""Texts of other tools: those that were made on the machine of these tests, and those of versions that it has
not.
"""

from __future__ import annotations

from pathlib import Path

OUTPUTS = Path(__file__).parent / "outputs"
"""Real outputs; commands.txt there has the commands."""
FORMS = Path(__file__).parent / "forms"
"""Written for these tests in the form of tools and versions that the machine has not."""

MADE_HERE = sorted(OUTPUTS.glob("sysbench-*.txt"))
V05 = (FORMS / "sysbench-0.5.txt").read_text()
V04 = (FORMS / "sysbench-0.4.12.txt").read_text()
TPCC_MYSQL = (FORMS / "tpcc-mysql.txt").read_text()
