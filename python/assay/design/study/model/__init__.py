"""The tables of a study, one file for each: the same type in the file and in the program."""
