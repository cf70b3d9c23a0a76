"""Carries plans out: the engine as a process, datasets, servers per run, run folders, resume.

Import from the modules: `engine` (find it, run a job), `execute` (a whole plan), `bench` (one measurement).
Nothing is imported here, so that a single measurement does not wait for what only studies need.
"""
