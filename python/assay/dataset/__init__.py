"""Datasets: tables of one workload at one scale and build; loaded once, kept, copied for every run."""
