"""A subcommand by its name, of those that a person types or of those that rules run."""

from disclosure import cli
from disclosure.workflow import __main__ as jobs

__all__ = ["main", "prog"]


def main(words):
    """Run a subcommand in this process."""
    words = list(words)
    (cli if words and words[0] in cli.COMMANDS else jobs).main(words)


def prog(command):
    """What stands before a subcommand's name in its messages."""
    return "disclosure" if command in cli.COMMANDS else "python -m disclosure.workflow"
