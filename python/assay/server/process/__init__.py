"""Private servers as processes: started, watched, ended, and swept when their lab has gone."""
