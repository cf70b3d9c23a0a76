//! What happened: counters, mergeable histograms, interval snapshots.
