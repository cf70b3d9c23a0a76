"""The machine's resources that a server is given: processors, memory, allocator, network, places for its
files.
"""
