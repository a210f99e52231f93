"""`python -m disclosure.workflow NAME ...` runs one job of a rule."""

from collections.abc import Sequence

from disclosure.workflow import command_line, jobs

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one of the commands of `disclosure.workflow.jobs`."""
    command_line.run(
        "python -m disclosure.workflow",
        "One job of the workflow.",
        "disclosure.workflow.jobs",
        jobs.COMMANDS,
        arguments,
    )


if __name__ == "__main__":
    main()
