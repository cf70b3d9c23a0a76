"""Tells what a server's threads waited for: rules on call stacks as data, and the ledgers made with them."""
