"""Compares what a server counts of sysbench's scripts when Assay and when sysbench runs them.

`python -m benchmarks.counts --help` lists the options.
"""
