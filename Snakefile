"""Regenerates the figures and every printed number: `snakemake --cores N` makes all of it.

Targets: `all` (default), `exact` (the same figures without drawing a release), `verify` (literal releases against exact
probabilities), `case_control` (paper B alone), or the name of any file, for example figures/figure2.pdf.
"""

import json
import os
import pathlib
import sys
import time

from disclosure.pipeline import config as configuration
from disclosure.pipeline import runs
from disclosure.pipeline.plan import ODDS_FIGURES, Plan
from disclosure.pipeline.sources import digest


configfile: os.path.join(workflow.basedir, "config.yaml")


runs.put_command_on_path()
try:
    PLAN = Plan(configuration.check(config, os.path.join(workflow.basedir, "workflow/schemas/config.schema.yaml")))
except configuration.ConfigError as error:
    sys.exit(f"config: {error}")
# Two runs in one folder would write each other's files: the second waits here for the first to end.
if workflow.is_main_process and not workflow.dryrun:
    LOCK = runs.own_folder()
STARTED = time.time()


wildcard_constraints:
    sweep="|".join(PLAN.sweeps) or "none",
    stage="|".join(PLAN.releases),
    odds_figure="|".join(ODDS_FIGURES),
    point=r"\d+",
    shard=r"\d+",
    variant="|_exact",


include: "workflow/rules/calibrate.smk"
include: "workflow/rules/upper_limit.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/expect.smk"
include: "workflow/rules/aggregate.smk"
include: "workflow/rules/figure.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/odds.smk"
include: "workflow/rules/published.smk"
include: "workflow/rules/provenance.smk"


localrules:
    all,
    exact,
    case_control,


rule all:
    default_target: True
    input:
        PLAN.per_sweep("summary.csv"),
        PLAN.figures(),
        PLAN.odds_files(),
        "results/published.csv",
        "results/provenance.json",


rule exact:
    input:
        PLAN.figures("_exact"),


rule case_control:
    input:
        PLAN.odds_files(),


onsuccess:
    shell("disclosure summarise_times results/logs 2> /dev/null")


onerror:
    # Snakemake's show-failed-logs shows nothing beside `quiet: rules`. The log of a job that went well ends with a time.
    for path in sorted(pathlib.Path("results/logs").rglob("*.log")):
        said = path.read_text(encoding="utf-8", errors="replace").strip()
        if path.stat().st_mtime >= STARTED and said and not said.endswith(" s"):
            print(f"{path}: {said}", file=sys.stderr, flush=True)
