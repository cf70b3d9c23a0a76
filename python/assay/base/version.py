"""The version number of Assay, which its output and result files carry."""

VERSION = "0.1.0"
