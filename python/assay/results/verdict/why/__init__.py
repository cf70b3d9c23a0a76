"""Explains a difference by ledgers: lines of cost with an interval each, corrected together."""
