"""A server's variables: known to a version, written as it wants them, read back."""
