"""Options that several subcommands share."""

__all__ = ["add_datasets", "add_output", "add_seed"]


def add_output(parser):
    """The file that the subcommand writes, whole or not at all."""
    parser.add_argument("--output", required=True, metavar="FILE")


def add_seed(parser):
    """The root seed of all random numbers."""
    parser.add_argument("--seed", type=int, required=True, metavar="N", help="root seed, at least 0")


def add_datasets(parser):
    """The range of datasets that a job works on."""
    parser.add_argument("--start", type=int, default=0, metavar="N", help="first dataset (default 0)")
    parser.add_argument("--stop", type=int, required=True, metavar="N", help="the one after the last dataset")
