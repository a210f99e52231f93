"""Regenerates the figures and every printed number: `snakemake --cores N` makes all of it.

Further targets: `verify` (literal releases against exact probabilities), those of workflow/rules/targets.smk, or any file,
figures/figure2.pdf say.
"""

import json
import os

from disclosure.pipeline import runs, story
from disclosure.pipeline.sources import digest


configfile: os.path.join(workflow.basedir, "config.yaml")


report: os.path.join(workflow.basedir, "workflow/report/workflow.rst")


RUN = runs.start(alone=workflow.is_main_process and not workflow.dryrun)
PLAN = runs.plan(config, os.path.join(workflow.basedir, "workflow/schemas/config.schema.yaml"))
if RUN.lock:
    runs.remove_orphans(PLAN.dependencies())


wildcard_constraints:
    **PLAN.wildcards(),


include: "workflow/rules/calibrate.smk"
include: "workflow/rules/upper_limit.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/expect.smk"
include: "workflow/rules/expose.smk"
include: "workflow/rules/aggregate.smk"
include: "workflow/rules/figure.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/odds.smk"
include: "workflow/rules/design.smk"
include: "workflow/rules/published.smk"
include: "workflow/rules/provenance.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/local.smk"
include: "workflow/rules/targets.smk"


rule all:
    default_target: True
    input:
        PLAN.everything(),


onsuccess:
    shell("disclosure summarise_times results/logs 2> /dev/null")


onerror:
    runs.report_failures("results/logs", RUN)
