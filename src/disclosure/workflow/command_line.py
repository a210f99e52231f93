"""A command line of subcommands, each in a module of its own with `arguments(parser)` and `run(arguments)`."""

import argparse
import importlib
import sys
import time
from collections.abc import Mapping, Sequence
from typing import NoReturn

from disclosure.workflow import times

__all__ = ["run"]

_INTERRUPTED = 130  # the exit code by which shells know Ctrl-C


class _Parser(argparse.ArgumentParser):
    """A parser that tells a mistake in one line, without the list of all options before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; {self.prog} --help lists what there is\n")


def run(
    prog: str,
    description: str,
    package: str,
    commands: Mapping[str, str],
    arguments: Sequence[str] | None = None,
) -> None:
    """Run one subcommand; a user's mistake ends with one line on standard error and exit code 2.

    Parameters
    ----------
    prog : str
        What a person types before the subcommand.
    description : str
    package : str
        Dotted name of the package that has a module for each subcommand.
    commands : dict of str to str
        The subcommands, and what each does.
    arguments : list of str, optional
        Those of the process by default.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    started = time.perf_counter()
    name = next((word for word in arguments if not word.startswith("-")), None)
    parser = _Parser(prog=prog, description=description)
    parser.add_argument("--version", action="version", version=sys.modules["disclosure"].__version__)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command, summary in commands.items():
        subparser = subparsers.add_parser(command, help=summary, description=summary)
        if command == name:
            # Only the module of the chosen subcommand is imported: jobs are short, and imports would dominate them.
            module = importlib.import_module(f"{package}.{command}")
            module.arguments(subparser)
            subparser.set_defaults(run=module.run)
    chosen = parser.parse_args(arguments)
    try:
        chosen.run(chosen)
    except BrokenPipeError:
        sys.exit(1)
    except KeyboardInterrupt:
        parser.exit(_INTERRUPTED, f"{prog} {name}: interrupted\n")
    except OSError as error:
        parser.exit(2, f"{prog} {name}: {error.filename or 'writing'}: {error.strerror}\n")
    except (ValueError, ArithmeticError) as error:
        parser.exit(2, f"{prog} {name}: {error}\n")
    print(times.line(str(name), time.perf_counter() - started), file=sys.stderr)
