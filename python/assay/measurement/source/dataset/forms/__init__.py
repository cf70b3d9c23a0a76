"""Forms of data of one's own, one a file: what dump programs and people write, as files for the engine."""
