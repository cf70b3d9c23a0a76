"""What is asked: study files, the plan of their runs, and the results folder that a study leaves.

`study` reads and checks a study, `plan` orders its runs, `folder` names and checks the files of results,
`storage` reads loads on files, such as fio's job files.
"""
