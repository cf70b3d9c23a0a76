"""Readings of the host, one source a file, and the set that takes them each second."""
