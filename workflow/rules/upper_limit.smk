"""Union mass T and exact failure probability of every dataset of a sweep.

Needs the sweep's calibration; makes results/{sweep}/upper_limit/{shard}.csv.
"""


rule upper_limit:
    input:
        RUN.needs("results/{sweep}/calibration.csv"),
    output:
        "results/{sweep}/upper_limit/{shard}.csv",
    log:
        "results/logs/upper_limit/{sweep}/{shard}.log",
    params:
        code=digest("workflow.jobs.upper_limit"),
        seed=PLAN.settings["seed"],
        range=lambda wildcards: PLAN.upper_limit_range(wildcards.shard),
    shell:
        "python -m disclosure.workflow upper_limit {input:q} --seed {params.seed} --start {params.range[0]} --stop {params.range[1]}"
        " --output {output:q} 2> {log:q}"
