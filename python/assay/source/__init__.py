"""Where the servers, or the files, of a run come from: private, running already, or none."""
