"""Whole experiments: a study from its file to its pages, and what is made of several: gates, history,
comparisons, published reports and documents, and results of other tools.
"""
