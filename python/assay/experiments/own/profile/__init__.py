"""Statistics of the tables of a running server, as a profile of data."""
