"""How it is measured: data are loaded and kept, servers started, runs carried out on one host or on several.

It leaves run folders and judges nothing.
"""
