"""Data directories: made, copied, given room, brought to rest."""
