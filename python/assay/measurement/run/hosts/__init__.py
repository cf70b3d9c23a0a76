"""Carries the blocks of a study out on the hosts of a fleet."""
