"""Where the system under test of a run comes from: private servers, one that runs already, or files."""
