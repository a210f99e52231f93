"""Points of a sweep and the noise that each needs."""

import argparse
from typing import Any

from disclosure.mechanisms import gaussian, named
from disclosure.numerics import rounding
from disclosure.numerics.errors import DomainError
from disclosure.people import queries
from disclosure.study.points import PARAMETERS, Point
from disclosure.workflow import sweeps, tables
from disclosure.workflow.options import add_output, number
from disclosure.workflow.people_options import add_query
from disclosure.workflow.sweeps import DEFINITIONS
from disclosure.workflow.yaml_files import parse_yaml


def arguments(parser: argparse.ArgumentParser) -> None:
    for name in PARAMETERS:
        parser.add_argument(
            f"--{name}",
            required=True,
            metavar="VALUE",
            help='a number, a list [0.1, 0.2], or a range {"start": 0.1, "stop": 0.9, "points": 5}',
        )
    parser.add_argument(
        "--definition", choices=DEFINITIONS, default=DEFINITIONS[0], help="what epsilon and delta are about"
    )
    parser.add_argument(
        "--delta-prime",
        type=number,
        metavar="D",
        help="of the probabilistic privacy that follows from an approximate one",
    )
    parser.add_argument("--sweep", default="sweep", metavar="NAME", help="name of the sweep (default: sweep)")
    parser.add_argument("--mechanism", choices=named.MECHANISMS, default="gaussian", help="(default: gaussian)")
    add_query(parser, required=False)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        points = sweeps.points(*(_values(name, getattr(arguments, name)) for name in PARAMETERS))
        table = {
            "sweep": [arguments.sweep] * len(points),
            "point": range(len(points)),
            **dict(zip(PARAMETERS, zip(*points, strict=True), strict=True)),
        }
        # Rounded up once; this number is the sigma of every later stage.
        table["sigma"] = [rounding.round_up(_sigma(arguments, point)) for point in points]
        follows = [sweeps.guarantee(point, arguments.definition, arguments.delta_prime) for point in points]
        table["definition"] = [arguments.definition] * len(points)
        table |= dict(zip(("epsilon_prime", "delta_prime"), zip(*follows, strict=True), strict=True))
        table["mechanism"] = [arguments.mechanism] * len(points)
        tables.write(file, tables.CALIBRATION, table)


def _sigma(arguments: argparse.Namespace, point: Point) -> float:
    """Scale of the noise that a point needs."""
    sensitivity = _sensitivity(arguments, point)
    if arguments.mechanism == "gaussian":
        return gaussian.calibrate(point.epsilon, point.delta, sensitivity, definition=arguments.definition)
    if arguments.definition != "probabilistic":
        raise DomainError(
            f"mechanism = {arguments.mechanism!r} and definition = {arguments.definition!r}: noise that is not gaussian is "
            "calibrated to probabilistic privacy only"
        )
    return named.calibrate(arguments.mechanism, point.epsilon, point.delta, sensitivity)


def _values(name: str, text: str) -> Any:
    """A number, list or range; YAML may have other keys than texts, and a range has none of them."""
    value = parse_yaml(text, name)
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else value


def _sensitivity(arguments: argparse.Namespace, point: Point) -> float:
    """1 for attributes in [0, 1], unless a query of columns with other ranges is named."""
    if arguments.query is None:
        return 1.0
    columns = [queries.parse_column(text) for text in arguments.columns or ()]
    return queries.linear(arguments.query, columns, point.sample).sensitivity
