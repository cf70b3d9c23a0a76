"""The measuring engine as a process: found, given a job, listened to, stopped."""
