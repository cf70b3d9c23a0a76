"""A volume of loop devices on files: file systems, RAID levels and failing devices without hardware."""
