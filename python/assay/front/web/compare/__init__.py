"""The page that sets two sides beside each other, with its tables."""
