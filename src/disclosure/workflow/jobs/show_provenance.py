"""Versions, machine, seed, parameters and times as a page of the report."""

import argparse
import json
import pathlib

from disclosure.workflow import tables, times
from disclosure.workflow.options import add_caption, add_output
from disclosure.workflow.report import pages

_NAMED = [("name", "name"), ("value", "verbatim")]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("provenance", help="results/provenance.json")
    parser.add_argument("--logs", nargs="+", required=True, metavar="FILE", help="of the jobs that made the results")
    parser.add_argument("--title", required=True)
    add_caption(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        record = json.loads(pathlib.Path(arguments.provenance).read_text(encoding="utf-8"))
        config = record.pop("config")
        stages = [
            [name, str(jobs), f"{sum_:.1f}", f"{longest:.1f}"]
            for name, jobs, sum_, longest in times.stages(arguments.logs)
        ]
        file.write(
            pages.page(
                arguments.title,
                arguments.caption,
                [
                    pages.Table("Versions, digests, machine and seed", _NAMED, pages.settings(record)),
                    pages.table("Seconds of the jobs that made these results", list(times.HEADER), stages),
                    pages.Table("Parameters", _NAMED, pages.settings(config)),
                ],
            ).encode()
        )
