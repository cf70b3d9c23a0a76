"""Hardware RAID controllers, through the command lines of their vendors: one file a family."""
