"""What the rules of the workflow run: a module for each command, with `arguments(parser)` and `run(arguments)`.

The first line of a module says what its command does. A command reads and writes files, and takes from its arguments all that
it needs to know: no name of a file or folder means anything to it.
"""

import pathlib

__all__ = ["COMMANDS"]


def _summary(path: pathlib.Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.readline().strip().strip('"').rstrip(".")


# Without importing any: jobs are short, and imports would dominate them.
COMMANDS = {
    path.stem: _summary(path) for path in sorted(pathlib.Path(__file__).parent.glob("*.py")) if path.stem != "__init__"
}
