"""One measurement without a study: what was asked for, carried out, as a record."""
