"""The names of what an engine tallies beside the statements of a workload."""

WHOLE = "transaction"
"""The label of whole transactions."""
CONNECT = "connect"
"""The label of connections that are opened again: the server counts the statements that open them, too."""
