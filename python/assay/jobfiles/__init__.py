"""Loads on files: fio's job files and sysbench's fileio, read into jobs for the engine. Runs nothing."""
