"""The pages of one result, from the report down to a line of events."""
