"""Generators on other machines: an agent of ours beside each, and the coordinator's side of it."""
