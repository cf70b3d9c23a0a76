"""How fast the load generator itself is on this host: measured once, kept, set beside each measurement."""
