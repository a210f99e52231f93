"""Failing releases of the datasets of one point.

Needs the sweep's calibration; makes results/{sweep}/simulate/{point}/{shard}.csv, and with literal releases, fewer of them,
results/{sweep}/verify/{point}/{shard}.csv.
"""


rule simulate:
    input:
        RUN.needs("results/{sweep}/calibration.csv"),
    output:
        "results/{sweep}/{stage}/{point}/{shard}.csv",
    log:
        "results/logs/{stage}/{sweep}/{point}/{shard}.log",
    params:
        code=digest("workflow.jobs.simulate"),
        seed=PLAN.settings["seed"],
        releases=lambda wildcards: PLAN.releases[wildcards.stage],
        method=lambda wildcards: PLAN.method[wildcards.stage],
        range=lambda wildcards: PLAN.simulation_range(wildcards.stage, wildcards.shard),
    shell:
        "python -m disclosure.workflow simulate {input:q} --point {wildcards.point} --releases {params.releases} --method {params.method}"
        " --seed {params.seed} --start {params.range[0]} --stop {params.range[1]} --output {output:q} 2> {log:q}"
