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
                help="Read this properties file of the original (LinkConfigMysql.properties), and"
                " the workload file that it names.",
            ),
            click.Option(
                [_OVERRIDE, "overrides"],
                multiple=True,
                metavar="KEY=VALUE",
                help="Override a property of the file; may be repeated. Options override both.",
            ),
            output_option(_TEXT, "Format of the output; linkbench: the text of the original driver."),
            click.Option(
                ["--csvstats"],
                type=_FILE,
                metavar="FILE",
                help="Write the original's CSV of final statistics of a run.",
            ),
            click.Option(
                ["--csvstream"],
                type=_FILE,
                metavar="FILE",
                help="Write the original's CSV of a run's statistics every displayfreq (or"
                " --report-interval) seconds.",
            ),
        ]

    def settle(self, asked: Asked, own: Options, general: Options) -> None:
        """Values of the properties for what the command line left out; then text and files."""
        from assay.compat.linkbench.apply import settle

        settle(asked, own, general)
