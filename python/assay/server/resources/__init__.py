"""What the machine gives a server: processors, memory, allocator, network, places for its files."""
