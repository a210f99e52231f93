"""Versions, digests, machine and seed behind the results."""

import argparse
import hashlib
import importlib.metadata
import json
import pathlib
import platform

from disclosure.numerics import checks
from disclosure.workflow import tables
from disclosure.workflow.options import add_output, add_seed

_PACKAGES = ("disclosure", "matplotlib", "numpy", "pandas", "scipy", "snakemake")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--commit", required=True, help="of the source")
    parser.add_argument("--config", required=True, metavar="JSON", help="the configuration after merging")
    parser.add_argument("--lock", required=True, metavar="FILE", help="requirements.lock")
    add_seed(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    with tables.own(arguments.output) as file:
        record = {
            "commit": arguments.commit,
            "config_sha256": hashlib.sha256(arguments.config.encode()).hexdigest(),
            "config": json.loads(arguments.config),
            "lock_sha256": hashlib.sha256(pathlib.Path(arguments.lock).read_bytes()).hexdigest(),
            "python": platform.python_version(),
            "packages": {name: _version(name) for name in _PACKAGES},
            "platform": platform.platform(),
            "processor": _processor(),
            "seed": checks.count("seed", arguments.seed, 0),
        }
        file.write((json.dumps(record, indent=2) + "\n").encode())


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor()
    )
