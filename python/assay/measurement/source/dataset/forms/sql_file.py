"""A dump in one file of SQL, as mysqldump and mariadb-dump write it."""

from __future__ import annotations

from pathlib import Path

from assay.measurement.source.dataset.forms.form import Form, Parts, statements


def _parts(path: Path, database: str | None) -> Parts:
    return Parts((statements(path),))


FORM = Form("sql", "a file of SQL", Path.is_file, _parts)
