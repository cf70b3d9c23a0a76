"""What every wing stands on: errors, clocks, files written whole, formats of jobs and events, histograms,
and the doubts that the figures of one load point raise wherever they are shown.

Its modules know nothing of studies, servers or results.
"""
