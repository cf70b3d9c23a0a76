"""Computes records, the plain rows that a table or chart will show, before anything is drawn.

Each function is pure: results and store in, frozen rows out. A chart's records are written beside it as CSV.
"""
