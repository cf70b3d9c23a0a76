"""sysbench 1.0.20: its option names, and its fileio with the text it prints."""
