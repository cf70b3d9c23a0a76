"""Runs the command line: `python -m assay.front.cli`."""

from assay.front.cli import main

main()
