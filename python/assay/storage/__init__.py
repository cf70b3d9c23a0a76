"""What loads on storage came to: figures of one job of the engine, or of several together."""
