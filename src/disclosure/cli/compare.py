"""How far belief in anybody's presence rises against the error of a statistic, for datasets of several sizes."""

import argparse
import contextlib
import json
import math
import pathlib
from collections.abc import Iterator

import numpy as np

from disclosure.cli import answer_folder
from disclosure.numerics.types import Columns
from disclosure.people.comparison import Statistic, compare
from disclosure.people.description import dataset, describe_sizes
from disclosure.people.reading import read_release
from disclosure.people.records import Records, sample_of
from disclosure.plots.formats import FORMATS
from disclosure.workflow import tables
from disclosure.workflow.options import whole
from disclosure.workflow.people_options import add_population, add_probability, add_table, reading

_FILES = ("comparison.csv", *(f"comparison.{kind}" for kind in FORMATS))


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    parser.add_argument(
        "--samples", type=whole, nargs="+", required=True, metavar="M", help="people in the dataset, several sizes"
    )
    add_population(parser)
    add_probability(parser, several=True)
    parser.add_argument(
        "--output", default="comparison", metavar="FOLDER", help="for the table and the figure (default comparison)"
    )
    parser.add_argument("--json", action="store_true", help="the table for machines")


def run(arguments: argparse.Namespace) -> None:
    sizes = arguments.samples
    records, query = read_release(arguments.table, arguments.query, arguments.columns, sizes[0], reading(arguments))
    if arguments.population is not None:
        records = sample_of(records, arguments.population)
    answer_folder.check(arguments.output, _FILES, table=arguments.table)
    statistics = [Statistic(records, query.name, size) for size in sizes]
    rises = compare(records, query.name, sizes, arguments.probability)
    named = f"the {query.name} of {statistics[0].column}"
    with answer_folder.replaced(arguments.output, _FILES, table=arguments.table) as folder:
        _write(folder, rises, named, records.size)
    if arguments.json:
        rows = [
            dict(zip(rises, row, strict=True)) for row in zip(*(rises[name].tolist() for name in rises), strict=True)
        ]
        known = [{name: None if value != value else value for name, value in row.items()} for row in rows]
        print(json.dumps({"column": statistics[0].column, "rises": known}))
        return
    print(*describe_sizes(arguments.table, records, [statistic.query for statistic in statistics], sizes), sep="\n")
    print("All that follows depends on the people in the table: whoever learns it learns something about them.")
    print(*_lines(rises, statistics, named, records), sep="\n")
    print(f"\nwritten to {arguments.output}, and confidential as well: {', '.join(_FILES)}")


def _write(folder: pathlib.Path, rises: Columns, statistic: str, population: float) -> None:
    from disclosure.plots import comparison, style  # slow to import

    with contextlib.ExitStack() as stack:
        table, *figures = (stack.enter_context(tables.own(folder / name)) for name in _FILES)
        tables.write(table, tables.COMPARISON, rises)
        figure = comparison.comparison_figure(rises, statistic, population)
        for file, kind in zip(figures, FORMATS, strict=True):
            file.write(style.rendered(figure, kind))


def _lines(rises: Columns, statistics: list[Statistic], named: str, records: Records) -> Iterator[str]:
    """What noise as large as the sampling error comes to, for each size and probability."""
    yield ""
    yield f"Belief in anybody's presence, posterior over prior, for everybody in the table and every {dataset(records)},"
    yield f"at noise as large as the sampling error of {named}; more noise than that makes the statistic much worse."
    if len(set(rises["prior"].tolist())) > 1:
        yield "Belief before differs between the sizes, and it rises to 1 at most: compare sizes by belief after."
    at = np.isclose(rises["relative_error"], rises["relative_sampling_error"])
    for place in np.flatnonzero(at).tolist():
        row = {name: values[place].item() for name, values in rises.items()}
        found = "not computed" if math.isnan(row["rise_found"]) else f"{row['rise_found']:.4g}"
        yield (
            f"  {row['sample']:,} people: error {row['relative_error']:.3%}, noise (sigma) {row['sigma']:.6g}; except with "
            f"probability {row['probability']:g} it rises by no more than a factor {row['rise_limit']:.4g} (found: {found}), "
            f"{_beliefs(row)}"
        )
    for sample, statistic in zip(dict.fromkeys(rises["sample"].tolist()), statistics, strict=True):
        if not statistic.sampling_error:
            yield f"  {sample:,} people: no sampling error, as all values of the column are equal"


def _beliefs(row: dict[str, float]) -> str:
    """Belief before and after; in an infinite population both are 0."""
    if not row["prior"]:
        return "of a belief that is 0 before and after"
    return f"from {row['prior']:.4g} before to {row['posterior_limit']:.4g} after at most"
