"""Finds what each kind of doubt can do to the verdicts: nothing, turn one, or that it has turned one."""
