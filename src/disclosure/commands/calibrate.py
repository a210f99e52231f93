"""Points of a sweep and the noise that each needs."""

import argparse
import json

from disclosure import gaussian
from disclosure.commands.options import add_output
from disclosure.pipeline import sweeps, tables


def arguments(parser):
    for name in sweeps.PARAMETERS:
        parser.add_argument(
            f"--{name}",
            required=True,
            type=_values,
            metavar="VALUE",
            help='a number, a list [0.1, 0.2], or a range {"start": 0.1, "stop": 0.9, "points": 5}',
        )
    add_output(parser)


def run(arguments):
    with tables.own(arguments.output) as file:
        points = sweeps.points(*(getattr(arguments, name) for name in sweeps.PARAMETERS))
        table = {"point": range(len(points)), **dict(zip(sweeps.PARAMETERS, zip(*points, strict=True), strict=True))}
        # Rounded up once; this number is the sigma of every later stage.
        table["sigma"] = [sweeps.round_up(gaussian.calibrate(point.epsilon, point.delta)) for point in points]
        tables.write(file, tables.CALIBRATION, table)


def _values(text):
    try:
        return json.loads(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number, a list nor a range") from None
