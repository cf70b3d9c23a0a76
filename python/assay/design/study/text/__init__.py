"""The text of a study: read, changed by profiles and the command line, written."""
