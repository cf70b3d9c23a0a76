"""Records: what a table or chart will show, as plain rows, computed before anything is drawn.

Each function is pure: results and store in, frozen rows out. A chart's records are written beside it as CSV.
"""
