"""What stands in for other tools: their options, their files, their text. One tool a folder."""
