"""Profile windows: after the measured windows of a run, the load of each rung once more, watched by sources
that cost too much to watch what is measured.
"""
