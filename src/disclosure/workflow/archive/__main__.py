"""`python -m disclosure.workflow.archive pack` makes an archive, `... verify` checks one."""

from disclosure.workflow import command_line

COMMANDS = {
    "pack": "Put the last commit, its results and the packages into one file",
    "verify": "Check an archive, and make one of its figures again",
}

if __name__ == "__main__":
    command_line.run(
        "python -m disclosure.workflow.archive",
        "An archive that checks itself.",
        "disclosure.workflow.archive",
        COMMANDS,
    )
