"""Makes first files of statements for tests, and reads them as a load would."""

from __future__ import annotations

from pathlib import Path

from assay.experiments.own import FirstFile, Source, check_file, first_file

HERE = Path(__file__).parent
SCHEMA = HERE / "schema.sql"


def made(source: Path, *, schema: Path | None = None, with_values: bool = True) -> FirstFile:
    """What becomes of a source, which a load could send as it stands."""
    found = first_file(Source(str(source), schema), Path("own.sql"), with_values=with_values)
    check_file("own.sql", found.pages)
    return found


def of_text(folder: Path, text: str | bytes, **given: Path | bool | None) -> FirstFile:
    path = folder / "source"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return made(path, **given)  # type: ignore[arg-type]


def body(found: FirstFile) -> list[str]:
    """The lines of a file without what is said in comments."""
    lines = found.pages.text.splitlines()
    return [line.strip() for line in lines if line and (not line.startswith("--") or line.startswith("-- @"))]


CUSTOMER = [
    "-- @let customers_id = column(customers.id)",
    "SELECT credit FROM customers WHERE id = :customers_id;",
]
