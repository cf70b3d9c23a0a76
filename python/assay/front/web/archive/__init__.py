"""The results folders below a root: the catalogue of all, and those that are open."""
