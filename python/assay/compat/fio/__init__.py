"""fio: job files carried out, and results in the forms of `fio` 3.33."""
