"""The page of a study that runs, with its stream of events and the process behind `assay run --watch`."""
