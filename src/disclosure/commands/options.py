"""Options that several subcommands share."""

from disclosure.domain import DomainError

__all__ = ["add_datasets", "add_design", "add_output", "add_range", "add_seed", "check_range"]


def add_output(parser):
    """The file that the subcommand writes, whole or not at all."""
    parser.add_argument("--output", required=True, metavar="FILE")


def add_seed(parser):
    """The root seed of all random numbers."""
    parser.add_argument("--seed", type=int, required=True, metavar="N", help="root seed, at least 0")


def add_datasets(parser):
    """The range of datasets that a job works on."""
    add_range(parser, "dataset")


def add_range(parser, unit):
    """A range of units of work."""
    parser.add_argument("--start", type=int, default=0, metavar="N", help=f"first {unit} (default 0)")
    parser.add_argument("--stop", type=int, required=True, metavar="N", help=f"the one after the last {unit}")


def check_range(arguments):
    """Raise `DomainError` unless the range holds something."""
    if not 0 <= arguments.start < arguments.stop:
        raise DomainError(f"start = {arguments.start} and stop = {arguments.stop}; allowed: 0 <= start < stop")


def add_design(parser):
    """An odds risk profile, and the case-control study that it is for."""
    parser.add_argument("--profile", required=True, metavar="FILE", help="YAML with knots: [[P10, B], ...] and scale")
    parser.add_argument("--participants", type=int, required=True, metavar="N", help="2n + 1 people in the study")
    parser.add_argument("--prevalence", type=float, required=True, metavar="P", help="of cases in the population")
