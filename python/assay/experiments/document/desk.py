"""Holds what the parts of one document need: the results that they name, each judged once, and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from assay.base.errors import InputError
from assay.design.folder import ResultsFolder
from assay.experiments.lab import judged, results_below, results_folder
from assay.reporting.report import (
    LANGUAGES,
    Chart,
    Table,
    Words,
    build_charts,
    build_tables,
    load_words,
    material_in,
    to_markdown,
)

_LINKS = "links"  # the kind of columns that lead into a results folder, which a document does not have


@dataclass(frozen=True)
class ShownResults:
    """The results of one study as a document shows them: tables and charts by name, and the facts of its
    set-up.
    """

    title: str
    tables: Mapping[str, Table]
    charts: Mapping[str, Chart]
    set_up: Mapping[str, str | int | float]


@dataclass
class Desk:
    """The results below `roots`, the words of a language, and the pictures drawn so far, by path.

    `pictures_in` is the folder for pictures, beside the document.
    """

    roots: Sequence[Path]
    language: str
    pictures_in: Path
    pictures: dict[Path, bytes] = field(default_factory=dict)
    _shown: dict[Path, ShownResults] = field(default_factory=dict)

    @cached_property
    def words(self) -> Words:
        return load_words(self.language)

    def folder(self, name: str) -> ResultsFolder:
        """Returns the results folder of this name. Raises InputError for none, and for several."""
        found = [path for path in self._folders if path.name == name]
        if len(found) == 1:
            return results_folder(found[0])
        where = ", ".join(map(str, self.roots))
        if found:
            raise InputError(
                f"{name} is the name of several results folders: {', '.join(map(str, found))}",
                hint="give the folder above one of them with --results",
            )
        names = ", ".join(sorted(path.name for path in self._folders))
        raise InputError(
            f"{where} contains no results of {name}",
            hint=f"it has {names}" if names else "run the study first, or name another folder with --results",
        )

    def results(self, name: str) -> ShownResults:
        """Returns a study's results, judged at the first call. Raises what `folder` and `judged` raise."""
        folder = self.folder(name)
        if folder.path not in self._shown:
            with judged(folder) as found:
                material = material_in(self.language, found.study, found.results, found.store, found.advice)
                self._shown[folder.path] = ShownResults(
                    title=material.words.title(found.study.title, found.study.name),
                    tables={table.name: table for table in build_tables(material)},
                    charts={chart.name: chart for chart in build_charts(material)},
                    set_up=material.rows(_SET_UP)[0],
                )
        return self._shown[folder.path]

    def markdown(self, table: Table, *, titled: bool = True) -> str:
        """Returns a table with its title in bold, without columns of links."""
        keep = [number for number, column in enumerate(table.columns) if column.kind != _LINKS]
        cut = replace(
            table,
            columns=tuple(table.columns[number] for number in keep),
            rows=tuple(tuple(row[number] for number in keep) for row in table.rows),
        )
        heading, _, rest = to_markdown(cut, self.words).partition("\n")
        return f"**{heading.removeprefix('# ')}**\n{rest}" if titled else rest.strip()

    def picture(self, name: str, svg: str, caption: str) -> str:
        """Keeps an SVG document as a picture of the document, and returns the Markdown that shows it."""
        suffix = "" if self.language == LANGUAGES[0] else f".{self.language}"
        path = self.pictures_in / f"{name}{suffix}.svg"
        self.pictures[path] = svg.encode()
        text = caption.replace("[", "(").replace("]", ")")
        return f"![{text}]({path.parent.name}/{path.name})"

    @cached_property
    def _folders(self) -> list[Path]:
        return list(dict.fromkeys(path for root in self.roots for path in results_below(root)))


_SET_UP = """
SELECT count(*) AS runs, count(DISTINCT treatment) AS treatments, count(DISTINCT block) AS blocks,
    (SELECT count(DISTINCT load) FROM rungs) AS rungs,
    min(started_ns) / 1e9 AS began_s, sum(ended_ns - started_ns) / 1e9 AS took_s,
    coalesce(string_agg(DISTINCT server_flavour || ' ' || server_version, ', '), '') AS servers
FROM runs WHERE status = 'complete'
"""
