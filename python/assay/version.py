"""The number of this version, for whatever names what wrote it."""

VERSION = "0.1.0"
