"""Assay: a performance-evaluation laboratory for MySQL-family servers and the storage under them."""

__version__ = "0.1.0"
