"""What is shown of results: the report with its charts, tables and phrases, and the live view of a study
that is running.
"""
