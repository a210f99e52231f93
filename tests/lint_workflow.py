"""Run `snakemake --lint` and fail on anything but its wish for a conda environment or container in each rule.

All rules run the package's own command in one environment, which the lock describes.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ALLOWED = "Specify a conda environment or container for each rule."


def main():
    run = subprocess.run(
        [sys.executable, "-m", "snakemake", "--lint"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    text = run.stdout + run.stderr
    findings = re.findall(r"^    \* (.*):$", text, re.MULTILINE)
    if not findings and run.returncode:
        sys.exit(f"snakemake --lint did not run:\n{text}")
    if set(findings) - {ALLOWED}:
        sys.exit(text)


if __name__ == "__main__":
    main()
