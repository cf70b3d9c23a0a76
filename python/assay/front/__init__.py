"""Where people and programs enter: the command line, pages for a browser, commands of other tools, the Python
interface.
"""
