"""Both the figures and every printed number of the papers: `snakemake --cores N` makes all of it.

Targets: `all` (default), `exact` (the same figures without drawing a release), `verify` (literal releases against exact
probabilities), or the name of any file, for example figures/figure2.pdf.
"""

import os
import sys


configfile: os.path.join(workflow.basedir, "config.yaml")


include: "workflow/rules/common.smk"
include: "workflow/rules/calibrate.smk"
include: "workflow/rules/upper_limit.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/expect.smk"
include: "workflow/rules/aggregate.smk"
include: "workflow/rules/figure.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/published.smk"
include: "workflow/rules/provenance.smk"


localrules:
    all,
    exact,


rule all:
    default_target: True
    input:
        expand("results/{sweep}/summary.csv", sweep=SWEEPS),
        expand("figures/{sweep}.{kind}", sweep=DRAWN, kind=KINDS),
        "results/published.csv",
        "results/provenance.json",


rule exact:
    input:
        expand("figures/{sweep}_exact.{kind}", sweep=DRAWN, kind=KINDS),


onsuccess:
    shell("disclosure summarise_times results/logs 2> /dev/null")


onerror:
    print(failed_logs(), file=sys.stderr, flush=True)
