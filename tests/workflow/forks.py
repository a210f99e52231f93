"""Calls of Snakemake that share their imports, which take half the time of a call that only looks.

A process imports Snakemake once, and forks a child for each command line that it is given. The child goes on as
`python -m snakemake` would. The package under test is among the imports only if a source is named that nobody edits; without
one each child takes the package from where its own environment says.
"""

import contextlib
import gc
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile

__all__ = ["Forks", "close", "shared"]


class Forks:
    """A process that calls Snakemake.

    Parameters
    ----------
    before : list of str
        A command that ends by executing the words that come after it, for a process of another kind.
    python : str
        The interpreter.
    source : path-like, optional
        Folder of a source of the package that stays as it is: the children share its import and the digests of its modules.
    """

    def __init__(self, before=(), python=sys.executable, source=None):
        self._source = source and str(source)
        self._process = subprocess.Popen(
            [*before, python, __file__, *filter(None, [self._source])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def call(self, arguments, env, cwd, timeout):
        """Call Snakemake with arguments, in an environment and a folder, as `subprocess.run` does with a command."""
        assert self._source in (None, env.get("PYTHONPATH")), "a call of another source of the package"
        with tempfile.TemporaryDirectory() as folder:
            said = [pathlib.Path(folder) / name for name in ("stdout", "stderr")]
            request = {"arguments": arguments, "env": env, "cwd": str(cwd), "said": list(map(str, said))}
            print(json.dumps(request), file=self._process.stdin, flush=True)
            if not select.select([self._process.stdout], [], [], timeout)[0]:
                self.close(signal.SIGKILL)
                raise subprocess.TimeoutExpired(arguments, timeout)
            code = int(self._process.stdout.readline())
            texts = [path.read_text(encoding="utf-8") for path in said]
        return subprocess.CompletedProcess(arguments, code, *texts)

    def close(self, number=signal.SIGTERM):
        """End the process and its child."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)
        self._process.communicate()


_SHARED = {}


def shared(python=sys.executable, source=None):
    """The process of an interpreter, and of a source if one is named, that all tests share."""
    if (python, source) not in _SHARED:
        _SHARED[python, source] = Forks(python=python, source=source)
    return _SHARED[python, source]


def close():
    """End the processes that tests have shared."""
    while _SHARED:
        _SHARED.popitem()[1].close()


def _serve(source=None):
    """Read a request a line, and answer each with the exit code of its child."""
    sys.path.pop(0)  # the folder of this file, which `python -m snakemake` does not have on its path
    import pandas  # noqa: F401
    import pydantic  # noqa: F401
    import requests  # noqa: F401
    import scipy.special  # noqa: F401
    import smart_open  # noqa: F401
    from snakemake import cli

    cli.get_argument_parser()  # imports the plug-ins
    if source:
        _import_package(source)
    gc.freeze()  # else each child looks through all that it has inherited, at its end for half a second
    for line in sys.stdin:
        child = os.fork()
        if not child:
            return _call(cli.main, **json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return None


def _import_package(source):
    """What the Snakefile imports of the package, and the digests that its rules have as parameters."""
    sys.path.insert(0, source)
    from disclosure.workflow import runs, sources, stages  # noqa: F401
    from disclosure.workflow.report import story  # noqa: F401

    for stage in stages.declared():
        sources.digest(f"workflow.jobs.{stage.command or stage.name}")
    sys.path.remove(source)


def _call(main, arguments, env, cwd, said):
    """In the child: go where the call is to be made, and make it."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(said, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.path[:0] = [os.getcwd(), *filter(None, env.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv = ["snakemake", *arguments]
    main()


if __name__ == "__main__":
    _serve(*sys.argv[1:])
