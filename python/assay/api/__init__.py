"""Results in Python, for notebooks and scripts: what `import assay` offers. Prints nothing.

The names are public as `assay.…`; docs/reference/python.md describes them.
"""
