"""What is judged: run folders become a store, statistics, verdicts with their doubts, and advice.

`audit` judges tables that others have printed.
"""
