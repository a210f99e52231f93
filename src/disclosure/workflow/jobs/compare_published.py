"""Printed numbers and claims against the reproduced ones."""

import argparse
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from disclosure.beliefs import case_control
from disclosure.numerics.types import FloatArray
from disclosure.study.points import Point
from disclosure.workflow import tables
from disclosure.workflow.claims import computed, paper_a, paper_b, verdicts
from disclosure.workflow.claims import page as written
from disclosure.workflow.claims.rows import Evidence
from disclosure.workflow.claims.studies import Study
from disclosure.workflow.options import add_design, add_output
from disclosure.workflow.profile_files import read_profile


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("printed", help="table of the printed numbers")
    parser.add_argument("--summaries", nargs="*", default=[], metavar="FILE", help="summary.csv of every sweep")
    parser.add_argument("--replications", nargs="*", default=[], metavar="FILE", help="all shards of replicate")
    add_design(parser)
    parser.add_argument("--page", required=True, metavar="FILE", help="the same as a page to read")
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file, tables.own(arguments.page) as page:
        printed = verdicts.read(arguments.printed, ("id", "paper", "quantity", "value"))
        quantities = dict(zip(printed["id"].tolist(), printed["quantity"].tolist(), strict=True))
        summaries = {
            tables.sweep_name(path, table): table
            for path, table in ((path, tables.read(path, tables.SUMMARY)) for path in arguments.summaries)
        }
        study = _study(summaries)
        replications = _replications(arguments.replications, study.points)
        effort = [
            max((int(table[name].max()) for table in summaries.values()), default=0)
            for name in ("datasets", "releases")
        ]
        expected = _expected(summaries, study.points)
        evidence = Evidence(study, expected, replications, computed.evaluate(), *effort)
        example = paper_b.example(
            read_profile(arguments.profile), case_control.Study(arguments.participants, arguments.prevalence)
        )
        parts = [
            paper_a.compare(_values(printed, "A"), evidence),
            paper_b.compare(_values(printed, "B"), example),
        ]
        numbers = dict.fromkeys(("reproduced", "low", "high", "expected"), float)
        table = pd.concat([part.astype(numbers) for part in parts])
        table.to_csv(file, index=False, lineterminator="\n")
        page.write(written.markdown(table, quantities, "Printed and reproduced").encode())


def _values(printed: pd.DataFrame, paper: str) -> dict[str, str]:
    rows = printed[printed["paper"] == paper]
    return dict(zip(rows["id"].tolist(), rows["value"].tolist(), strict=True))


def _study(summaries: Mapping[str, tables.Table]) -> Study:
    def columns(name: str) -> dict[str, FloatArray]:
        return {sweep: table[name] for sweep, table in summaries.items()}

    points = {
        sweep: [Point(*row) for row in zip(*(table[name].tolist() for name in Point._fields), strict=True)]
        for sweep, table in summaries.items()
    }
    failure = {
        sweep: np.where(
            np.isnan(table["failure_share_mean"]), table["failure_probability_mean"], table["failure_share_mean"]
        )
        for sweep, table in summaries.items()
    }
    return Study(points, columns("union_mass_mean"), columns("union_mass_se"), failure)


def _expected(summaries: Mapping[str, tables.Table], points: Mapping[str, Sequence[Point]]) -> Study:
    """Expected values as if they were a study, of the sweeps that have them."""
    whole = {
        sweep: table
        for sweep, table in summaries.items()
        if not (np.isnan(table["union_mass_expected"]) | np.isnan(table["failure_probability_expected"])).any()
    }
    columns = [
        {sweep: table[name] for sweep, table in whole.items()}
        for name in ("union_mass_expected", "union_mass_se", "failure_probability_expected")
    ]
    return Study({sweep: points[sweep] for sweep in whole}, *columns)


def _replications(paths: Sequence[str], points: Mapping[str, Sequence[Point]]) -> Study:
    shards = [tables.read(path, tables.REPLICATION) for path in paths]
    table = pd.concat([pd.DataFrame(shard) for shard in shards] or [pd.DataFrame(columns=list(tables.REPLICATION))])

    def stacked(name: str) -> dict[str, FloatArray]:
        return {
            str(sweep): group.pivot(index="replication", columns="point", values=name).to_numpy()
            for sweep, group in table.groupby("sweep")
        }

    return Study(points, stacked("union_mass_mean"), stacked("union_mass_se"), stacked("failure_probability_mean"))
