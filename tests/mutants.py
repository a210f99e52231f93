"""Faults planted by mutmut in one room of the package, to see the tests of the room find them: `make mutants ROOM=numerics`.

mutmut copies the package, changes one operator, number, word or argument of a function at a time, and runs the tests that
reach the function. What survives is printed as a difference: it is either equivalent to the right code (docs/mutants.md says
why), or a test is missing. Constants of modules are not changed.
"""

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PARTS = ("README.md", "config.yaml", "docs", "pyproject.toml", "resources", "src", "tests")
# Folders of tests/unit whose tests hold a room to account, beside its examples: its own, and those of rooms that call what
# has no tests there.
TESTS = {
    "numerics": ("numerics", "mechanisms", "expected", "beliefs"),
    "gaussian_measure": ("gaussian_measure", "beliefs"),
    "mechanisms": ("mechanisms",),
    "beliefs": ("beliefs",),
    "expected": ("expected",),
    "study": ("study",),
    "people": ("people",),
    "releases": ("releases",),
}
WORDS = re.compile(r"""[fr]?"[^"]*"|[fr]?\'[^\']*\'|\bNone\b""")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room", help=f"{', '.join(TESTS)}, or one module with tests of its own, such as beliefs/noises")
    parser.add_argument("--minutes", type=float, default=60.0, help="after these the run stops (60)")
    parser.add_argument("--every", type=int, choices=(1, 2, 5, 10), default=1, help="take one mutant of so many (1)")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    arguments = parser.parse_args()
    room, _, module = arguments.room.partition("/")
    if room not in TESTS or not (ROOT / f"src/disclosure/{room}/{module or '__init__'}.py").exists():
        parser.error(
            f"room = '{arguments.room}' is none of {', '.join(TESTS)}, nor a module of one, such as beliefs/noises"
        )
    folder = prepare(room, module)
    run(folder, patterns(arguments.every), arguments.workers, arguments.minutes)
    report(folder)


def prepare(room, module):
    """A copy of the repository, whose configuration names the files to change and the tests to run."""
    folder = ROOT / "mutants" / "-".join(filter(None, (room, *module.split("/"))))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in PARTS:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, folder / name)
    configuration = folder / "pyproject.toml"
    text = configuration.read_text(encoding="utf-8")
    assert text.count("\n[tool.mutmut]\n") == 1
    tests = [f"src/disclosure/{room}", *(f"tests/unit/{name}" for name in TESTS[room])]
    own_tests = f"tests/unit/{'/test_'.join(f'{room}/{module}'.rsplit('/', 1))}.py"
    if module and (ROOT / own_tests).exists():
        tests = [f"src/disclosure/{room}/{module}.py", own_tests]
    own = f'only_mutate = ["src/disclosure/{room}/{module or "*"}.py"]\npytest_add_cli_args_test_selection = {tests}\n'
    configuration.write_text(text.replace("[tool.mutmut]\n", f"[tool.mutmut]\n{own}"), encoding="utf-8")
    return folder


def patterns(every):
    """Names of one mutant of so many: mutmut numbers those of a function from 1, so each function has one at least."""
    return [f"*__mutmut_*{digit}" for digit in range(1, 10, every)] + ["*__mutmut_*0"] * (every == 1)


def run(folder, names, workers, minutes):
    """Run mutmut, which writes down each result as it comes, for so many minutes at most."""
    command = [mutmut(), "run", "--max-children", str(workers), *names]
    with (folder / "run.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True)
        try:
            process.wait(timeout=60 * minutes)
        except subprocess.TimeoutExpired:
            print(f"stopped after {minutes:g} minutes; the rest was not checked")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if not (folder / "mutants/mutmut-stats.json").exists():
        sys.exit(f"mutmut did not get as far as the first mutant; {folder / 'run.log'} says why")


def report(folder):
    """Print how many mutants there were of each fate, and those that no test found, but for those in words alone."""
    lines = [line.split(": ") for line in said(folder, "results", "--all", "true").splitlines() if ": " in line]
    fates = [fate for _, fate in lines]
    print(", ".join(f"{fates.count(fate)} {fate}" for fate in sorted(set(fates))))
    found = [said(folder, "show", name.strip()) for name, fate in lines if fate in ("survived", "suspicious")]
    shown = [text for text in found if not in_words_alone(text)]
    print(
        f"{len(found) - len(shown)} of those that survived differ in words alone, such as the name of an argument in a message",
        *shown,
        sep="\n\n",
    )


def in_words_alone(difference):
    """Whether two versions of a line differ in a text, or in None in its place."""
    lines = [line for line in difference.splitlines() if re.match(r"[-+](?![-+])", line)]
    sides = [[WORDS.sub("''", line[1:]) for line in lines if line[0] == sign] for sign in "-+"]
    return sides[0] == sides[1]


def said(folder, *arguments):
    return subprocess.run([mutmut(), *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def mutmut():
    return str(pathlib.Path(sys.executable).with_name("mutmut"))


if __name__ == "__main__":
    main()
