"""The pages over all results: the shelf, the doubts and the hosts."""
