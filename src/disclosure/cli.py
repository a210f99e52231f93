"""The command `disclosure`: one subcommand for each stage of the workflow, usable by hand as well."""

import argparse
import importlib
import sys
import time

from disclosure.pipeline import times

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "calibrate": "points of a sweep and the noise that each needs",
    "upper_limit": "union mass T and exact failure probability of every dataset",
    "simulate": "failing releases of the datasets of one point",
    "expect": "expected values over all datasets, without sampling",
    "aggregate": "summary of a sweep, a row for each point",
    "figure": "figure of a sweep's summary",
    "replicate": "independent replications of the whole study, by exact probabilities",
    "verify": "literal releases against exact probabilities, point by point",
    "compare_published": "printed numbers and claims against the reproduced ones",
    "design_study": "cheapest numbers of datasets and releases for a wanted error",
    "epsilon": "largest epsilon that an odds risk profile allows",
    "odds": "what an epsilon lets an adversary's odds become",
    "translate": "what noise or a guarantee says in every language of privacy",
    "adversaries": "adversaries of a case-control study, and the epsilon allowed against each",
    "figure_odds": "figures of an odds risk profile and of a case-control study",
    "expose": "exposure of people of a table at one point of a sweep",
    "assess": "what a release reveals about the people of a table",
    "choose": "epsilon and the smallest noise for a tolerated ratio and a failure probability",
    "record_provenance": "versions, digests, machine and seed behind the results",
    "show_result": "figure or table as a page of the report",
    "show_claims": "printed numbers and claims as a page of the report",
    "show_provenance": "versions, parameters and times as a page of the report",
}


def main(arguments=None):
    """Run one subcommand; a user's mistake ends with one line on standard error and exit code 2."""
    arguments = sys.argv[1:] if arguments is None else arguments
    started = time.perf_counter()
    name = next((word for word in arguments if not word.startswith("-")), None)
    parser = argparse.ArgumentParser(
        prog="disclosure", description=sys.modules["disclosure"].__doc__.partition("\n")[0]
    )
    parser.add_argument("--version", action="version", version=sys.modules["disclosure"].__version__)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for command, summary in COMMANDS.items():
        subparser = subparsers.add_parser(command, help=summary, description=summary)
        if command == name:
            # Only the module of the chosen subcommand is imported: jobs are short, and imports would dominate them.
            module = importlib.import_module(f"disclosure.commands.{command}")
            module.arguments(subparser)
            subparser.set_defaults(run=module.run)
    chosen = parser.parse_args(arguments)
    try:
        chosen.run(chosen)
    except BrokenPipeError:
        sys.exit(1)
    except OSError as error:
        parser.exit(2, f"disclosure {name}: {error.filename or 'writing'}: {error.strerror}\n")
    except (ValueError, ArithmeticError) as error:
        parser.exit(2, f"disclosure {name}: {error}\n")
    print(times.line(name, time.perf_counter() - started), file=sys.stderr)
