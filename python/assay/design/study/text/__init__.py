"""The text of a study: read, changed by scales and the command line, written."""
