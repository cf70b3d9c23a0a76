"""Compares Assay with its peers on the same server in the same run, interleaved, as ratios. `make bench` runs
this.
"""
