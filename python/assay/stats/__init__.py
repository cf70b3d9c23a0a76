"""Pure functions on arrays: what numbers say, and how surely. Knows no server, file or study."""
