"""Files and disks as a load: fio's job files and sysbench's fileio, run by the engine."""
