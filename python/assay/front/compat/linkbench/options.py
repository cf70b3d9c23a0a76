"""The options that only `assay bench linkbench` has: files of the original to read and write."""

from __future__ import annotations

from pathlib import Path

import click

from assay.front.compat.options import Options, ParsedCommand, output_option

_TEXT = "linkbench"
_OVERRIDE = "-D"
_FILE = click.Path(dir_okay=False, path_type=Path)


class LinkbenchTool:
    """The stand-in for LinkBench's driver, which is written in Java."""

    def options(self) -> list[click.Option]:
        """Returns the options for LinkBench's properties, its text, its CSV files."""
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

    def settle(self, asked: ParsedCommand, own: Options, general: Options) -> None:
        """Fills in what the command line left out from the properties, then sets text and files."""
        from assay.front.compat.linkbench.apply import settle

        settle(asked, own, general)
