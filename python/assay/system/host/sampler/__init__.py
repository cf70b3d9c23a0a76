"""Samples the host, one source a file, in a set that reads all sources each second."""
