"""The options that only `assay bench linkbench` has: the files of the original, read and written."""

from __future__ import annotations

from pathlib import Path

import click

from assay.compat.options import Asked, Options, output_option

_TEXT = "linkbench"
_OVERRIDE = "-D"
_FILE = click.Path(dir_okay=False, path_type=Path)


class LinkbenchTool:
    """The driver of the original, written in Java."""

    def options(self) -> list[click.Option]:
        """Options for LinkBench's properties, its text, its CSV files."""
        return [
            click.Option(
                ["-c", "--config"],
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                metavar="FILE",
                help="A properties file of the original, LinkConfigMysql.properties, and the one it names.",
            ),
            click.Option(
                [_OVERRIDE, "overrides"],
                multiple=True,
                metavar="KEY=VALUE",
                help="A property in place of the file's; again for more. Options win over both.",
            ),
            output_option(_TEXT, "What is printed; linkbench is the text of the original's driver."),
            click.Option(
                ["--csvstats"], type=_FILE, metavar="FILE", help="Write the original's CSV of a run."
            ),
            click.Option(
                ["--csvstream"],
                type=_FILE,
                metavar="FILE",
                help="Write its CSV of every displayfreq (else --report-interval) seconds of a run.",
            ),
        ]

    def settle(self, asked: Asked, own: Options, general: Options) -> None:
        """Values of the properties for what the command line left out; then text and files."""
        from assay.compat.linkbench.apply import settle

        settle(asked, own, general)
