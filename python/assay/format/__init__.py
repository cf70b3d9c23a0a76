"""What lab and engine tell each other, as types: `job` in, `event` out.

Both files are written by `make schema` from the engine's own types, by way of schema/*.json; nothing here is
edited by hand, and nothing here has behaviour.
"""
