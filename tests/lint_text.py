"""Ends of lines and of files: text under version control has neither spaces at the end of a line nor empty lines at its end.

With names of files it looks at these, otherwise at all that git knows.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Tables of others, which stay as they are written.
TABLES = "tests/data/tables/"


def main():
    names = sys.argv[1:] or subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    ours = [name for name in names if not name.startswith(TABLES) or name.endswith(".md")]
    found = [fault for name in ours for fault in faults(name, (ROOT / name).read_bytes())]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


def faults(name, content):
    """What is wrong with a file, a line for each; nothing is with one that is not text."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return
    if "\0" in text or not text:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.removesuffix("\r") != line.rstrip():
            yield f"{name}:{number}: white space at the end of the line"
    if not text.endswith("\n"):
        yield f"{name}: no end of line at the end of the file"
    elif text.endswith("\n\n"):
        yield f"{name}: empty lines at the end of the file"


if __name__ == "__main__":
    sys.exit(main())
