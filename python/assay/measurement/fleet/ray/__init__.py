"""A Ray cluster that places and starts agents; the only part of the project that knows Ray."""
