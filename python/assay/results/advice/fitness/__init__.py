"""Judges one disk by what was measured of it: its class, whether it keeps a synced write, whether it is fit
for a durable server, and the lines of my.cnf that follow.
"""
