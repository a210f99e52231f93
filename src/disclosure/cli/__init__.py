"""The command `disclosure`: what a person asks of a release, an epsilon or a table of people."""

from collections.abc import Sequence

import disclosure
from disclosure.workflow import command_line

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "assess": "what a release reveals about the people of a table",
    "compare": "how far belief rises against the error of a statistic, for datasets of several sizes",
    "choose": "epsilon and the smallest noise for a tolerated ratio and a failure probability",
    "epsilon": "largest epsilon that an odds risk profile allows",
    "odds": "what an epsilon lets an adversary's odds become",
    "release": "what a planned release of several statistics reveals",
    "translate": "what noise or a guarantee says in every language of privacy",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one of the `COMMANDS`, by the arguments of the process unless others are given."""
    description = (disclosure.__doc__ or "").partition("\n")[0]
    command_line.run("disclosure", description, "disclosure.cli", COMMANDS, arguments)
