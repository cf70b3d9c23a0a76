"""Releases: named by a study, found on this machine or fetched, unpacked, looked into."""
