"""Ours beside its peers: same server, same run, interleaved, as ratios. `make bench` runs these."""
