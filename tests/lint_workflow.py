"""Run `snakemake --lint` and fail on anything that it finds.

The rules are read as by the Snakemake Workflow Catalog: the package is not installed, and neither is what Snakemake does not
bring along.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Requirements of the package that conda's `snakemake` does not depend on. It does on NumPy, pandas, pydantic, Jinja and PyYAML.
ABSENT = ("matplotlib", "scipy")
LINT = f"""
import sys
sys.path[:] = [folder for folder in sys.path if folder != {str(ROOT / "src")!r}]
sys.modules.update(dict.fromkeys({ABSENT!r}))  # None: an import of it fails
from snakemake.cli import main
main(["--lint"])
"""


def main():
    run = subprocess.run([sys.executable, "-c", LINT], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stdout + run.stderr)


if __name__ == "__main__":
    main()
