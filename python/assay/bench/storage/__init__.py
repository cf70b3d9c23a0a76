"""One measurement of files and disks: jobs carried out one after the other, and their figures."""
