"""Checks that the tables of a study fit together."""
