"""Run `snakemake --lint` and fail on anything but its wish for a conda environment or container in each rule.

The rules are read as by the Snakemake Workflow Catalog: the package is not installed, and neither is what Snakemake does not
bring along. All rules run the package's own command in one environment, which the lock describes.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ALLOWED = "Specify a conda environment or container for each rule."
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
    text = run.stdout + run.stderr
    findings = re.findall(r"^    \* (.*):$", text, re.MULTILINE)
    if not findings and run.returncode:
        sys.exit(f"snakemake --lint did not run:\n{text}")
    if set(findings) - {ALLOWED}:
        sys.exit(text)


if __name__ == "__main__":
    main()
