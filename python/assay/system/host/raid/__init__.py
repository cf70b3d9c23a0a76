"""Reads and sets hardware RAID controllers through their vendors' command lines, one file a family."""
