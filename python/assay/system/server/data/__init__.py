"""Makes and copies data directories, checks disk space for them, and fits their files to a start."""
